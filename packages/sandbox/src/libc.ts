import { PalyraError } from '@palyra/kernel';
import { noneGiven } from './out-of-descriptors.ts';

/** The few calls of the C library that Node has none of its own for. */
export interface Libc {
  /** A real pipe, close-on-exec: Node's own are sockets, which programs cannot open by their name. */
  pipe(): { readonly read: number; readonly write: number };
  /** Nothing from `first` on is handed to children by accident. */
  closeOnExecFrom(first: number): void;
  /** Asks what became of one descriptor, without waiting. Contract: `asked` is one `struct pollfd`, laid out already. */
  poll(asked: Uint8Array): () => number;
  /** Contract: the result of the system call, or a negative number. */
  syscall(number: number, args: readonly (number | Uint8Array)[]): number;
}

const O_CLOEXEC = 0o2000000;
const CLOSE_RANGE_CLOEXEC = 4;
const LAST_DESCRIPTOR = 0xffff_ffff;

/** Contract: throws SANDBOX_UNAVAILABLE where this Node cannot call it. */
export function openLibc(): Libc {
  const ffi = loadFfi();
  const library = new ffi.DynamicLibrary('libc.so.6');
  const pipe2 = library.getFunction('pipe2', { arguments: ['pointer', 'i32'], return: 'i32' });
  const closeRange = library.getFunction('close_range', {
    arguments: ['u32', 'u32', 'i32'],
    return: 'i32',
  });
  const poll = library.getFunction('poll', {
    arguments: ['pointer', 'u64', 'i32'],
    return: 'i32',
  });
  const syscall = library.getFunction('syscall', {
    arguments: ['i64', 'i64', 'i64', 'i64', 'i64', 'i64'],
    return: 'i64',
  });
  return {
    pipe: () => {
      const ends = new Int32Array(2);
      if (pipe2(ffi.getRawPointer(ends), O_CLOEXEC) !== 0) throw noneGiven(() => refusal('pipe2'));
      const [read = -1, write = -1] = ends;
      return { read, write };
    },
    closeOnExecFrom: (first) => {
      if (closeRange(first, LAST_DESCRIPTOR, CLOSE_RANGE_CLOEXEC) !== 0) {
        throw refusal('close_range');
      }
    },
    poll: (asked) => {
      // Asked several times for each command: nothing is worked out then. The bytes stay with whoever asks, or
      // their place would be given to others.
      const at = ffi.getRawPointer(asked);
      const one = () => poll(at, 1n, 0);
      return Object.assign(one, { asked });
    },
    syscall: (number, args) => {
      const words = args.map((arg) =>
        typeof arg === 'number' ? BigInt(arg) : ffi.getRawPointer(arg),
      );
      const [first = 0n, second = 0n, third = 0n, fourth = 0n, fifth = 0n] = words;
      return Number(syscall(BigInt(number), first, second, third, fourth, fifth));
    },
  };
}

/** Contract: throws SANDBOX_UNAVAILABLE where this Node has none. */
export function loadFfi() {
  const ffi = process.getBuiltinModule('node:ffi');
  if (ffi !== undefined) return ffi;
  throw new PalyraError('SANDBOX_UNAVAILABLE', 'this Node cannot call the C library', {
    help: 'start Palyra with the Node that it brings, and without `--no-experimental-ffi`',
  });
}

function refusal(call: string): PalyraError {
  return new PalyraError('SANDBOX_FAILED', `the kernel refused \`${call}\``);
}
