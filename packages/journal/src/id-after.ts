import type { Id } from '@palyra/kernel';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The next ULID in sorting order. Contract: `id` is one; `undefined` after the very last one. */
export function idAfter<Kind extends string>(id: string): Id<Kind> | undefined {
  let rest = id.length;
  while (rest > 0 && id[rest - 1] === 'Z') rest -= 1;
  if (rest === 0) return undefined;
  const raised = ALPHABET.charAt(ALPHABET.indexOf(id.charAt(rest - 1)) + 1);
  const after = id.slice(0, rest - 1) + raised + '0'.repeat(id.length - rest);
  return isInRange<Kind>(after) ? after : undefined;
}

/** Of a ULID that was raised only the first digit can be wrong; every entry asks, so no pattern here. */
function isInRange<Kind extends string>(raised: string): raised is Id<Kind> {
  return raised.charAt(0) <= '7';
}
