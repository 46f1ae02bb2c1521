/** Where an address leads. Only `public` is the network that everybody shares. */
export type AddressRange =
  | 'public'
  | 'private'
  | 'loopback'
  | 'link_local'
  | 'metadata'
  | 'translated'
  | 'special';

/** Contract: the address is in the form in which the URL standard writes it, without brackets. */
export function rangeOfAddress(address: string): AddressRange {
  return address.includes(':')
    ? lookUp(IPV6_RANGES, ipv6Number(address))
    : lookUp(IPV4_RANGES, ipv4Number(address));
}

/**
 * The IPv4 address that this IPv6 address is only another spelling of (`::ffff:0:0/96`).
 * Contract: the address is in the form above.
 */
export function mappedIpv4(address: string): string | undefined {
  const number = ipv6Number(address);
  if (number >> 32n !== 0xffffn) return undefined;
  const parts = [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 0xffn);
  return parts.join('.');
}

interface AddressBlock {
  readonly prefix: bigint;
  readonly hostBits: bigint;
  readonly range: AddressRange;
}

function lookUp(blocks: readonly AddressBlock[], number: bigint): AddressRange {
  const found = blocks.find(({ prefix, hostBits }) => number >> hostBits === prefix);
  // The tables end with everything that is routed; what they leave out nobody has assigned.
  return found?.range ?? 'special';
}

function ipv4Number(address: string): bigint {
  return joined(address.split('.').map(Number), 8n);
}

function ipv6Number(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const before = groupsOf(head);
  if (tail === undefined) return joined(before, 16n);
  const after = groupsOf(tail);
  const gap = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return joined([...before, ...gap, ...after], 16n);
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function joined(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((number, part) => (number << bits) | BigInt(part), 0n);
}

function block(cidr: string, range: AddressRange): AddressBlock {
  const [address = '', length = ''] = cidr.split('/');
  const isIpv6 = address.includes(':');
  const hostBits = (isIpv6 ? 128n : 32n) - BigInt(length);
  const number = isIpv6 ? ipv6Number(address) : ipv4Number(address);
  return { prefix: number >> hostBits, hostBits, range };
}

/** The first that fits counts, so single addresses stand before the blocks they lie in. */
const IPV4_RANGES: readonly AddressBlock[] = [
  block('169.254.169.254/32', 'metadata'), // nearly every cloud
  block('169.254.169.253/32', 'metadata'), // the resolver beside it
  block('169.254.170.2/32', 'metadata'), // credentials of a container task
  block('169.254.170.23/32', 'metadata'), // credentials of a pod
  block('169.254.0.23/32', 'metadata'),
  block('100.100.100.200/32', 'metadata'),
  block('168.63.129.16/32', 'metadata'),
  block('192.0.0.192/32', 'metadata'),
  block('127.0.0.0/8', 'loopback'),
  block('10.0.0.0/8', 'private'),
  block('172.16.0.0/12', 'private'),
  block('192.168.0.0/16', 'private'),
  block('100.64.0.0/10', 'private'), // behind the address translation of a provider
  block('169.254.0.0/16', 'link_local'),
  block('0.0.0.0/8', 'special'), // 0.0.0.0 reaches the machine itself
  block('192.0.0.0/24', 'special'),
  block('192.0.2.0/24', 'special'), // documentation, with the two below
  block('198.51.100.0/24', 'special'),
  block('203.0.113.0/24', 'special'),
  block('192.88.99.0/24', 'special'),
  block('198.18.0.0/15', 'special'), // measurements
  block('224.0.0.0/4', 'special'), // multicast
  block('240.0.0.0/4', 'special'), // reserved, and broadcast
  block('0.0.0.0/0', 'public'),
];

/** `translated` hides an IPv4 address that some machine on the way will turn it into. */
const IPV6_RANGES: readonly AddressBlock[] = [
  block('fd00:ec2::254/128', 'metadata'),
  block('fd00:ec2::253/128', 'metadata'),
  block('fd00:ec2::23/128', 'metadata'),
  block('fd20:ce::254/128', 'metadata'),
  block('::1/128', 'loopback'),
  block('::/128', 'special'), // reaches the machine itself
  block('::/96', 'translated'), // IPv4-compatible
  block('::ffff:0:0/96', 'translated'), // IPv4-mapped
  block('::ffff:0:0:0/96', 'translated'), // stateless translation
  block('64:ff9b::/96', 'translated'), // NAT64
  block('64:ff9b:1::/48', 'translated'),
  block('2001::/32', 'translated'), // Teredo
  block('2002::/16', 'translated'), // 6to4
  block('fe80::/10', 'link_local'),
  block('fec0::/10', 'private'),
  block('fc00::/7', 'private'),
  block('2001::/23', 'special'),
  block('2001:db8::/32', 'special'), // documentation, with the next
  block('3fff::/20', 'special'),
  block('2000::/3', 'public'),
];
