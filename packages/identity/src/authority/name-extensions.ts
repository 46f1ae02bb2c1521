import type { Bytes } from '@palyra/kernel';
import type { GatewayName } from './gateway-names.ts';

// RFC 5280, 4.2.1.6 and 4.2.1.10: the two extensions that hold names, as DER.

const SEQUENCE = 0x30;
/** `permittedSubtrees`. */
const PERMITTED = 0xa0;
const DNS_NAME = 0x82;
const URI = 0x86;
const IP_ADDRESS = 0x87;

export function namesExtension(names: readonly GatewayName[]): Bytes {
  return Uint8Array.from(der(SEQUENCE, names.map(alternativeName)));
}

export function uriExtension(uri: string): Bytes {
  return Uint8Array.from(der(SEQUENCE, [der(URI, [ascii(uri)])]));
}

/**
 * Contract: `uriHost` is the one host that URIs may name. A kind of name that nothing is said about
 * is not constrained at all, so every kind that TLS looks at is said something about.
 */
export function constraintsExtension(names: readonly GatewayName[], uriHost: string): Bytes {
  const bases = [...names.map(constraintBase), der(URI, [ascii(uriHost)])];
  const subtrees = bases.map((base) => der(SEQUENCE, [base]));
  return Uint8Array.from(der(SEQUENCE, [der(PERMITTED, subtrees)]));
}

function alternativeName(name: GatewayName): readonly number[] {
  return name.kind === 'dns' ? der(DNS_NAME, [ascii(name.text)]) : der(IP_ADDRESS, [name.octets]);
}

/** An address is constrained with a mask; all ones, so only itself is meant. */
function constraintBase(name: GatewayName): readonly number[] {
  if (name.kind === 'dns') return alternativeName(name);
  return der(IP_ADDRESS, [name.octets, name.octets.map(() => 0xff)]);
}

function der(tag: number, parts: readonly (readonly number[])[]): readonly number[] {
  const content = parts.flat();
  return [tag, ...lengthOf(content.length), ...content];
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  if (length < 0x100) return [0x81, length];
  if (length < 0x1_0000) return [0x82, length >> 8, length & 0xff];
  throw new RangeError('more names than an extension holds');
}

function ascii(text: string): readonly number[] {
  return [...Buffer.from(text, 'ascii')];
}
