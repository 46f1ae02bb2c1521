import { closeSync, writeSync } from 'node:fs';
import { type Bytes, PalyraError } from '@palyra/kernel';
import type { Libc } from './libc.ts';
import { noneGiven } from './out-of-descriptors.ts';

const MEMFD_CREATE = process.arch === 'arm64' ? 279 : 319;
const CLOSE_ON_EXEC = 1;
const NAME = Buffer.from('palyra\0');
/** Kernels before 6.3 know neither; on them every one can be executed. */
const RIGHTS = { text: 0x8, program: 0x10 } as const;

/** A file that no folder holds. Contract: `undefined` where the kernel refuses one; the caller closes it. */
export function makeMemoryFile(
  libc: Libc,
  kind: keyof typeof RIGHTS,
  flags: number,
): number | undefined {
  const make = (all: number) => libc.syscall(MEMFD_CREATE, [NAME, CLOSE_ON_EXEC | all]);
  const asked = make(flags | RIGHTS[kind]);
  const made = asked < 0 ? make(flags) : asked;
  return made < 0 ? undefined : made;
}

/**
 * What a child is to read to its end, all of it there before the child is: from a pipe it would hear of the
 * end only when we have time to tell. Contract: the caller closes it. Throws SANDBOX_UNAVAILABLE, or SANDBOX_FAILED.
 */
export function holdText(libc: Libc, text: Bytes): number {
  const descriptor = makeMemoryFile(libc, 'text', 0);
  if (descriptor === undefined) throw noneGiven(refused);
  try {
    // At a place of our choice: what is read by a child begins where the descriptor stands, at its start.
    if (writeSync(descriptor, text, 0, text.length, 0) === text.length) return descriptor;
    throw refused();
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function refused(): PalyraError {
  return new PalyraError('SANDBOX_UNAVAILABLE', 'the kernel keeps no file in memory', {
    help: 'look whether the machine is out of memory',
  });
}
