import { lookup as systemLookup } from 'node:dns/promises';
import { rangeOf } from './address.ts';
import type { Host } from './canonical-host.ts';
import { isListedAddress } from './decide.ts';
import type { HostRules } from './host-rule.ts';
import type { Refusal } from './refusal.ts';

/** Contract: every address of the name, in the order in which to try them; rejects if it has none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

export type Resolution =
  | { readonly kind: 'resolved'; readonly addresses: readonly [string, ...string[]] }
  | { readonly kind: 'refused'; readonly reason: Refusal };

export const MAX_ADDRESSES = 64;

export interface ResolveParts {
  readonly rules: HostRules;
  readonly lookup: Lookup;
}

/** As every program on this machine would find it. */
export const lookupOnSystem: Lookup = async (name) =>
  (await systemLookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address);

/** The system has few threads for lookups, and shares them with files: at most so many at once. */
export function takingTurns(lookup: Lookup, atOnce: number): Lookup {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (name) => {
    if (free === 0) await new Promise<void>((go) => waiting.push(go));
    else free -= 1;
    try {
      return await lookup(name);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/**
 * Looks a host up, once: what is returned is what is dialled, nobody asks again. One address that
 * is neither public nor listed refuses the host, so that a mixed answer cannot be tried until it fits.
 */
export async function resolve(
  host: Host,
  port: number,
  { rules, lookup }: ResolveParts,
): Promise<Resolution> {
  const found = host.kind === 'address' ? [host.address] : await addressesOf(host.name, lookup);
  const [first, ...others] = found;
  if (first === undefined || found.length > MAX_ADDRESSES) return refuse('host-unresolved');
  const isFine = (address: string) =>
    rangeOf(address) === 'public' || isListedAddress(address, port, rules);
  if (!found.every(isFine)) return refuse('address-forbidden');
  return { kind: 'resolved', addresses: [first, ...others] };
}

async function addressesOf(name: string, lookup: Lookup): Promise<readonly string[]> {
  try {
    return await lookup(name);
  } catch {
    // Whatever the resolver says, there is nothing to dial.
    return [];
  }
}

function refuse(reason: Refusal): Resolution {
  return { kind: 'refused', reason };
}
