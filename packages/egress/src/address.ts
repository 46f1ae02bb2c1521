import { isIPv4, isIPv6 } from 'node:net';
import { type AddressRange, mappedIpv4, rangeOfAddress } from '@palyra/kernel';

/**
 * The one spelling of an address: dotted decimal, or IPv6 as the URL standard writes it.
 * Contract: `undefined` for anything else, zones and IPv4-mapped addresses too.
 */
export function readAddress(text: string): string | undefined {
  if (DOTTED.test(text)) return isIPv4(text) ? text : undefined;
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const address = spelled(text);
  return mappedIpv4(address) === undefined ? address : undefined;
}

/** Contract: `undefined` is no address; a mapped one is `translated`, whatever it maps. */
export function rangeOf(text: string): AddressRange | undefined {
  if (isIPv6(text) && !text.includes('%')) {
    return rangeOfAddress(spelled(text));
  }
  const address = readAddress(text);
  return address === undefined ? undefined : rangeOfAddress(address);
}

/** Four numbers without leading zeros, which some read as octal. */
const DOTTED = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/;

function spelled(ipv6: string): string {
  return new URL(`http://[${ipv6}]/`).hostname.slice(1, -1);
}
