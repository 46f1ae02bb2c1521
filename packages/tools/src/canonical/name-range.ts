import type { AddressRange } from '@palyra/kernel';

/** Where a host leads; `name` for a name that is still to be looked up. */
export type HostRange = AddressRange | 'name';

/** Names that lead to the machine itself, or to what tells a machine its own secrets. */
export function rangeOfName(name: string): HostRange {
  if (LOOPBACK_NAMES.has(name) || name.endsWith('.localhost')) return 'loopback';
  return METADATA_NAMES.has(name) ? 'metadata' : 'name';
}

const LOOPBACK_NAMES: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'localhost4',
  'localhost6',
  'ip6-localhost',
  'ip6-loopback',
]);

const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'instance-data',
  'instance-data.ec2.internal',
]);
