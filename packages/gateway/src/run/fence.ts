import { randomBytes } from 'node:crypto';

const MARK_BYTES = 12;

/**
 * Text of others between two lines with one mark. The mark is made after the text was, and told to
 * nobody before: whatever stands inside cannot close the fence.
 */
export function fenced(text: string): string {
  const mark = `untrusted ${randomBytes(MARK_BYTES).toString('hex')}`;
  return `<<< ${mark}\n${text}\n${mark} >>>`;
}
