import { When } from './when.tsx';

/** What stands between two backticks, or a time as the gateway writes it, with the word that leads to it. */
const MARKED = /`([^`]*)`|(?:\b(?:at|on) )?\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A sentence of the gateway's: what it quotes is spelled as it is, and a time told as everywhere else. */
export function Words({ text }: { readonly text: string }) {
  // Plain text, then one of the two, over and over.
  return text.split(MARKED).map((part, place) => {
    if (part === undefined || place % 3 === 0) return part;
    return place % 3 === 1 ? <code key={place}>{part}</code> : <When key={place} at={part} />;
  });
}
