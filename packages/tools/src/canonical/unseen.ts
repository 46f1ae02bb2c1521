import { visibleText } from '@palyra/kernel';

const PLAIN = /^[ -~]*$/;

/**
 * The first character that a person who is asked could not see, as an escape in backticks: control,
 * bidirectional, zero-width, half a surrogate pair.
 */
export function findUnseen(text: string): string | undefined {
  if (PLAIN.test(text)) return undefined;
  for (const character of text) {
    const shown = visibleText(character, 'one-line');
    if (shown !== character) return `\`${shown}\``;
  }
  return undefined;
}
