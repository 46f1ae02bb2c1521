import { openFence, settledLength } from './markdown.ts';

/** What the model is saying right now. Blocks that are done have left it for the transcript. */
export interface Speech {
  /** Everything of this message, also what has left. */
  readonly said: string;
  /** So much of it has left. */
  readonly settled: number;
  /** What opened the code in the middle of which it was parted; it begins what is left. */
  readonly fence: string;
  /** What it thinks meanwhile, the end of it; never recorded. */
  readonly thought: string;
}

export const SILENCE: Speech = { said: '', settled: 0, fence: '', thought: '' };

/** Somebody who thinks aloud is followed, not written down. */
const MAX_THOUGHT = 2000;
/** A block that is longer is parted. */
const MAX_PIECE = 8 * 1024;

export interface Heard {
  readonly speech: Speech;
  /** What is done with it, each a piece of markdown of its own. */
  readonly done: readonly string[];
}

export function hearDelta(speech: Speech, text: string): Heard {
  const said = oneNewline(speech.said + text);
  const long = partLong({ ...speech, said, thought: '' });
  // Looking for the end of a block takes time; an empty line is where most of them end.
  const isLikely = said.slice(Math.max(speech.said.length - 1, 0)).includes('\n\n');
  if (!isLikely) return long;
  const { fence, settled } = long.speech;
  const opening = openingOf(fence);
  const open = opening + said.slice(settled);
  const length = Math.max(settledLength(open) - opening.length, 0);
  if (length === 0) return long;
  const done = opening + said.slice(settled, settled + length);
  const rest = { ...long.speech, settled: settled + length, fence: '' };
  return { speech: rest, done: [...long.done, done] };
}

/** The message as it is recorded. Who joined in the middle, or lost a part, gets all of it. */
export function hearMessage(speech: Speech, text: string): Heard {
  const said = oneNewline(text);
  const isSeen = said.startsWith(speech.said.slice(0, speech.settled));
  const whole = isSeen ? { ...speech, said } : { ...SILENCE, said };
  const { speech: rest, done } = partLong(whole);
  const last = openText(rest);
  return { speech: SILENCE, done: last === '' ? done : [...done, last] };
}

export function hearThought(speech: Speech, text: string): Speech {
  return { ...speech, thought: (speech.thought + text).slice(-MAX_THOUGHT) };
}

/** What stands there half said. */
export function openText({ said, settled, fence }: Speech): string {
  const open = said.slice(settled);
  return open === '' ? '' : openingOf(fence) + open;
}

/** Takes off what is too long to be one piece, at the end of a line. */
function partLong(speech: Speech): Heard {
  const done: string[] = [];
  let { settled, fence } = speech;
  while (speech.said.length - settled > MAX_PIECE) {
    const most = speech.said.slice(settled, settled + MAX_PIECE);
    const length = most.lastIndexOf('\n') + 1 || MAX_PIECE;
    const piece = openingOf(fence) + most.slice(0, length);
    done.push(piece);
    settled += length;
    fence = openFence(piece);
  }
  return { speech: { ...speech, settled, fence }, done };
}

function openingOf(fence: string): string {
  return fence === '' ? '' : `${fence}\n`;
}

function oneNewline(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
