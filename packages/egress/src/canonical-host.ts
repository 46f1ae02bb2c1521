import { domainToASCII, domainToUnicode } from 'node:url';
import { readAddress } from './address.ts';

/** A host in the one spelling under which rules know it. */
export type Host =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'address'; readonly address: string };

export interface Authority {
  /** As it was written, brackets included; `readHost` tells what it means. */
  readonly host: string;
  readonly port: number | undefined;
}

export const MAX_NAME = 253;

/** Contract: `undefined` unless it is a name, or an address in its one spelling (IPv6 in brackets). */
export function readHost(text: string): Host | undefined {
  const name = readName(text);
  if (name !== undefined) return { kind: 'name', name };
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : undefined;
  const address = readAddress(bare ?? text);
  // Brackets are for IPv6 and IPv6 is for brackets, or the port could not be told from it.
  if (address === undefined || address.includes(':') !== (bare !== undefined)) return undefined;
  return { kind: 'address', address };
}

/** Lower case, without the one final dot that a name may have. */
export function readName(text: string): string | undefined {
  const lower = (text.endsWith('.') ? text.slice(0, -1) : text).replaceAll(/[A-Z]/g, toLower);
  if (lower.length > MAX_NAME) return undefined;
  const labels = lower.split('.');
  if (!labels.every((label) => LABEL.test(label))) return undefined;
  // Some resolvers read a name that ends in a number as an address.
  if (NUMERIC.test(labels.at(-1) ?? '')) return undefined;
  return lower.includes('xn--') && !isRoundTrip(lower) ? undefined : lower;
}

/** Contract: nothing but a host and perhaps a port; no user, no path, no space. */
export function readAuthority(text: string): Authority | undefined {
  const [, host = '', digits] = AUTHORITY.exec(text) ?? [];
  if (host === '') return undefined;
  if (digits === undefined) return { host, port: undefined };
  const port = readPort(digits);
  return port === undefined ? undefined : { host, port };
}

export function readPort(digits: string): number | undefined {
  if (!/^[1-9]\d{0,4}$/.test(digits)) return undefined;
  const port = Number(digits);
  return port <= 65_535 ? port : undefined;
}

/** As it stands before a port: an IPv6 address is bracketed. */
export function hostText(host: Host): string {
  if (host.kind === 'name') return host.name;
  return host.address.includes(':') ? `[${host.address}]` : host.address;
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NUMERIC = /^(?:\d+|0x[0-9a-f]*)$/;
const AUTHORITY = /^(\[[0-9A-Fa-f:.]{1,64}\]|[^:[\]/?#@\s\\%]{1,255})(?::(\d{1,5}))?$/;

function toLower(letter: string): string {
  return letter.toLowerCase();
}

/** An A-label that decodes to nothing, or to what is encoded otherwise, is two names at once. */
function isRoundTrip(name: string): boolean {
  const unicode = domainToUnicode(name);
  if (unicode === '' || unicode.split('.').some((label) => label.startsWith('xn--'))) return false;
  return domainToASCII(unicode) === name;
}
