/**
 * Text from a model, a tool or a file, made safe to show: control, bidirectional and zero-width
 * characters become visible escapes, so that what a person reads is what is there.
 * Newlines and tabs stay, unless the text has to fit one line.
 */
export function visibleText(text: string, layout: 'lines' | 'one-line' = 'lines'): string {
  return text.replace(UNSEEN, (character) => {
    if (layout === 'lines' && (character === '\n' || character === '\t')) return character;
    return escapeCharacter(character);
  });
}

/** Longer input is cut in a message: it is named there, not repeated. */
export const MAX_QUOTED_TEXT = 200;

/** Input as messages name it: visible, on one line, bounded, in backticks that it cannot close. */
export function quote(text: string): string {
  const short = text.length > MAX_QUOTED_TEXT ? `${text.slice(0, MAX_QUOTED_TEXT)}…` : text;
  return `\`${visibleText(short, 'one-line').replaceAll('`', escapeCharacter)}\``;
}

/**
 * Control, format, surrogate, private-use and unassigned code points, both odd separators, letters
 * that have no glyph (fillers, variation selectors, the blank of braille).
 * One exception: the selector that only asks for the coloured form of the emoji before it.
 */
const UNSEEN =
  /(?!(?<=\p{Extended_Pictographic})\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;

function escapeCharacter(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  return `\\u{${hex}}`;
}
