import { arm64Listener } from './arm64.ts';
import { elf } from './elf.ts';
import { x64Listener } from './x86-64.ts';

/** Where programs in a sandbox find their way out. */
export const LISTENER_PORT = 3128;

/** No program ends like this by itself: EX_OSERR. */
export const LISTENER_FAILED = 71;

export interface ListenerOrder {
  readonly machine: 'x64' | 'arm64';
  /** The descriptor on which the sandbox inherits the channel to us. */
  readonly channel: number;
  /** The path, inside, of what it becomes. */
  readonly becomes: string;
}

/** What both programs are made of, besides their instructions. */
export interface ListenerParts {
  readonly channel: number;
  /** `struct sockaddr_in`. */
  readonly address: Buffer;
  /** One line that Node's channels understand, with which the socket travels. */
  readonly message: Buffer;
  /** Ended by NUL. */
  readonly becomes: Buffer;
  readonly backlog: number;
  /** The exit code of one that could not do its part. */
  readonly failed: number;
}

/**
 * A program that listens on the loopback of an empty network, hands the listening socket to us,
 * closes both, and becomes the program that is named. Whatever fails, it ends with LISTENER_FAILED instead: a
 * sandbox without its way out is not started.
 */
export function listenerElf({ machine, channel, becomes }: ListenerOrder): Buffer {
  const parts: ListenerParts = {
    channel,
    address: loopback(LISTENER_PORT),
    message: Buffer.from('{"cmd":"NODE_HANDLE","type":"net.Native","msg":"listener"}\n'),
    becomes: Buffer.from(`${becomes}\0`),
    backlog: 128,
    failed: LISTENER_FAILED,
  };
  const at = machine === 'x64' ? x64Listener(parts) : arm64Listener(parts);
  return elf({ machine, at });
}

function loopback(port: number): Buffer {
  const address = Buffer.alloc(16);
  address.writeUInt16LE(2, 0);
  address.writeUInt16BE(port, 2);
  Buffer.from([127, 0, 0, 1]).copy(address, 4);
  return address;
}
