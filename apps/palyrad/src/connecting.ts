import {
  type Connecting as Dialled,
  type HostRules,
  isListedAddress,
  rangeOf,
} from '@palyra/egress';
import type { Connecting } from '@palyra/gateway';

/** A connection as rules know it: not by its addresses, but by where they lead. */
export function connectingTo(
  {
    host,
    port,
    addresses,
  }: Pick<Dialled, 'host' | 'port'> & { readonly addresses: readonly string[] },
  listed: HostRules,
): Connecting {
  const leadsTo = addresses.map((address) => ({
    // What is no address leads where nobody may go.
    range: rangeOf(address) ?? 'special',
    isListed: isListedAddress(address, port, listed),
  }));
  return { host, port, leadsTo };
}
