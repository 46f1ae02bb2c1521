import { PalyraError } from '@palyra/kernel';
import type { Libc } from './libc.ts';
import { noneGiven } from './out-of-descriptors.ts';

const SOCKETPAIR = process.arch === 'arm64' ? 199 : 53;
const [AF_UNIX, STREAM_CLOEXEC] = [1, 1 | 0o2000000];

/** Two ends of one stream, both close-on-exec. Contract: the caller closes them; throws SANDBOX_FAILED. */
export function socketPair(libc: Libc): readonly [number, number] {
  const ends = Buffer.alloc(8);
  if (libc.syscall(SOCKETPAIR, [AF_UNIX, STREAM_CLOEXEC, 0, ends]) !== 0) {
    throw noneGiven(() => new PalyraError('SANDBOX_FAILED', 'the kernel refused `socketpair`'));
  }
  return [ends.readInt32LE(0), ends.readInt32LE(4)];
}
