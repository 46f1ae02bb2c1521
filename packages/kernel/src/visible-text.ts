/**
 * Text from a model, a tool or a file, made safe to show: control, bidirectional and zero-width
 * characters become visible escapes, so that what a person reads is what is there.
 * Newlines and tabs stay, unless the text has to fit one line.
 */
export function visibleText(text: string, layout: 'lines' | 'one-line' = 'lines'): string {
  return text.replace(UNSEEN, (character) => {
    if (layout === 'lines' && (character === '\n' || character === '\t')) return character;
    const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    return `\\u{${hex}}`;
  });
}

/** Control, format, surrogate, private-use and unassigned code points, and both odd separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;
