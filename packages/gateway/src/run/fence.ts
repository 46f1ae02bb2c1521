import { createHmac, randomBytes } from 'node:crypto';

/** Random, of this process alone, and told to nobody. */
const KEY = randomBytes(32);
const MARK_LETTERS = 24;

/**
 * Text of others between two lines with one mark. The mark is worked out from the text with a key that
 * nobody knows: whatever stands inside cannot close the fence, not even with marks that were seen before.
 * The same text has the same fence, so that a provider knows again what it has read in earlier turns and
 * runs.
 */
export function fenced(text: string): string {
  const digest = createHmac('sha256', KEY).update(text).digest('hex');
  const mark = `untrusted ${digest.slice(0, MARK_LETTERS)}`;
  return `<<< ${mark}\n${text}\n${mark} >>>`;
}
