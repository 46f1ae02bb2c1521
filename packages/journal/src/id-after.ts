import { type Id, parseId } from '@palyra/kernel';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The next id in sorting order. Contract: `undefined` after the very last one. */
export function idAfter<Kind extends string>(id: string): Id<Kind> | undefined {
  let rest = id.length;
  while (rest > 0 && id[rest - 1] === 'Z') rest -= 1;
  if (rest === 0) return undefined;
  const raised = ALPHABET.charAt(ALPHABET.indexOf(id.charAt(rest - 1)) + 1);
  return parseId<Kind>(id.slice(0, rest - 1) + raised + '0'.repeat(id.length - rest));
}
