import { BlockList, isIP } from 'node:net';

export interface Address {
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
}

const ADDRESS_PATTERN =
  /^(?:\[(?<six>[0-9a-fA-F:.]{2,45})\]|(?<name>[A-Za-z0-9.-]{1,253})):(?<port>\d{1,5})$/;
const MOST_PORT = 65_535;

/** `HOST:PORT` or `[IPV6]:PORT`. Contract: `undefined` for anything else; port 0 is any free one. */
export function parseAddress(text: string): Address | undefined {
  const { six, name, port } = ADDRESS_PATTERN.exec(text)?.groups ?? {};
  const host = six ?? name;
  if (host === undefined || Number(port) > MOST_PORT) return undefined;
  if (six !== undefined && isIP(six) !== 6) return undefined;
  return { host, port: Number(port) };
}

export function writeAddress({ host, port }: Address): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** By address, because what a name leads to can change after it was looked at. */
export function isLoopbackAddress(address: string): boolean {
  const plain = withoutMapping(address);
  const version = isIP(plain);
  return version !== 0 && loopback.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Whom a bound by address means: an IPv4 address, or the 64 bits of an IPv6 address that one
 * network is given. Within those a single machine can have as many addresses as it likes.
 */
export function networkOf(address: string): string {
  const plain = withoutMapping(address);
  if (isIP(plain) !== 6) return plain;
  const [front = '', back] = plain.split('%')[0]?.split('::') ?? [];
  const head = front === '' ? [] : front.split(':');
  const tail = back === undefined || back === '' ? [] : back.split(':');
  const gap = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return `${[...head, ...gap, ...tail].slice(0, 4).join(':')}::/64`;
}

const MAPPED = '::ffff:';

function withoutMapping(address: string): string {
  const inner = address.toLowerCase().startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
  return isIP(inner) === 4 ? inner : address;
}
