import type { Server } from 'node:net';
import { PalyraError } from '@palyra/kernel';
import { type Address, writeAddress } from '../address.ts';

export type AddressSetting = 'transport.listen' | 'transport.console';

/** Contract: resolves with the address that is bound, or rejects with ADDRESS_UNUSABLE. */
export async function listenOn(
  server: Server,
  address: Address,
  setting: AddressSetting,
): Promise<Address> {
  try {
    await bind(server, address);
  } catch (cause) {
    throw unusable(cause, address, setting);
  }
  const bound = server.address();
  const port = bound === null || typeof bound === 'string' ? address.port : bound.port;
  return { host: address.host, port };
}

export function bind(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

export function systemCode(reason: unknown): string {
  return reason instanceof Error && 'code' in reason ? String(reason.code) : '';
}

export function unusable(cause: unknown, address: Address, setting: AddressSetting): PalyraError {
  const where = writeAddress(address);
  const { why, help } = FAULTS[systemCode(cause)] ?? {
    why: 'the system refuses it',
    help: 'choose another',
  };
  return new PalyraError('ADDRESS_UNUSABLE', `cannot listen on \`${where}\`: ${why}`, {
    cause,
    help: `${help}; the setting is \`${setting}\``,
  });
}

const FAULTS: Readonly<Record<string, { readonly why: string; readonly help: string }>> = {
  EADDRINUSE: {
    why: 'another program listens there',
    help: 'stop that program (`ss -ltnp` names it) or choose another port',
  },
  EACCES: {
    why: 'the port is reserved for the system',
    help: 'choose a port of 1024 or above',
  },
  EADDRNOTAVAIL: {
    why: 'this machine does not have that address',
    help: 'choose one that `ip address` shows, or `0.0.0.0` for all',
  },
  ENOTFOUND: {
    why: 'no address is known for that name',
    help: 'give an IP address, or mend the name',
  },
  EAFNOSUPPORT: {
    why: 'this machine does not speak that kind of address',
    help: 'give an IPv4 address',
  },
};
