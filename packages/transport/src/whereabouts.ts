import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type Address, writeAddress } from './address.ts';

/** Where the doors really are; a port of 0 is known only once they are open. */
export interface Whereabouts {
  /** `https://127.0.0.1:7443` */
  readonly endpoints: readonly string[];
  /** `127.0.0.1:7443`: what a device can dial, the likeliest first. */
  readonly dialable: readonly string[];
  /** `http://localhost:7142`; empty when the console is off. */
  readonly console: string;
}

/** Contract: the port is one that was bound. */
export function whereaboutsOf(
  device: Address,
  names: readonly string[],
  console: string,
): Whereabouts {
  const hosts = isWildcard(device.host) ? addressesOfMachine() : [device.host];
  const dialable = [...new Set([...names, ...hosts])].map((host) =>
    writeAddress({ host, port: device.port }),
  );
  return { endpoints: dialable.map((address) => `https://${address}`), dialable, console };
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** Contract: never empty; IPv4 first, and none that is valid on one cable only. */
function addressesOfMachine(): readonly string[] {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80'))
    .map(({ address }) => address)
    .toSorted((one, other) => isIP(one) - isIP(other));
  return found.length === 0 ? ['127.0.0.1'] : found;
}
