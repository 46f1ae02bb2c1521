import { domainToUnicode } from 'node:url';
import { mappedIpv4, quote, rangeOfAddress } from '@palyra/kernel';
import { type HostRange, rangeOfName } from './name-range.ts';
import { type Reading, read, unreadable } from './reading.ts';

export interface Host {
  /** A name in ASCII and lower case without a final dot, or an address without brackets. */
  readonly name: string;
  readonly range: HostRange;
}

export const MAX_HOST_NAME = 253;

/**
 * Contract: the text is the host of a parsed URL. The URL standard has by then decoded escapes,
 * mapped unicode to ASCII and read every odd spelling of an address, so nobody parses it again.
 */
export function readHost(text: string): Reading<Host> {
  if (text.startsWith('[')) return read(hostOfIpv6(text.slice(1, -1)));
  if (IPV4.test(text)) return read({ name: text, range: rangeOfAddress(text) });
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  if (isName(name)) return read({ name, range: rangeOfName(name) });
  const help = 'labels of letters, digits and dashes, 63 at most in each, with a dot between';
  return unreadable(`has a host that is no name: ${quote(text)}`, help);
}

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function isName(name: string): boolean {
  if (name.length > MAX_HOST_NAME) return false;
  if (!name.split('.').every((label) => LABEL.test(label))) return false;
  // The parser lets a label pass that claims to encode something and does not. It is no name: who
  // decodes it elsewhere may see another one.
  return !domainToUnicode(name)
    .split('.')
    .some((label) => label.startsWith('xn--'));
}

/** A mapped address reaches the IPv4 one, and so it is that one: rules know it by one name. */
function hostOfIpv6(address: string): Host {
  const name = mappedIpv4(address) ?? address;
  return { name, range: rangeOfAddress(name) };
}
