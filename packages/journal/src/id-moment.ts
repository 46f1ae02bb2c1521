import type { EntryId } from '@palyra/kernel';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const MOMENT_LENGTH = 10;

/** The millisecond in which an id was made, or later where the clock was set back: ids always rise. */
export function momentOf(id: EntryId): number {
  let moment = 0;
  for (const digit of id.slice(0, MOMENT_LENGTH)) moment = moment * 32 + ALPHABET.indexOf(digit);
  return moment;
}
