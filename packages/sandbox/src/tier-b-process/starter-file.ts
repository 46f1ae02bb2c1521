import { closeSync, openSync, writeSync } from 'node:fs';
import { type Bytes, PalyraError } from '@palyra/kernel';
import type { Libc } from '../libc.ts';
import { makeMemoryFile } from '../memory-file.ts';

const FCNTL = process.arch === 'arm64' ? 25 : 72;
const ALLOW_SEALING = 2;
const ADD_SEALS = 1033;
/** Nothing may be added, taken, written, or unsealed. */
const ALL_SEALS = 0xf;

/**
 * A program that no folder holds and nobody can change, ready to be handed down. Contract: a descriptor that
 * can only be read; the caller closes it. Throws SANDBOX_UNAVAILABLE where the kernel refuses one.
 */
export function sealProgram(libc: Libc, program: Bytes): number {
  const made = makeMemoryFile(libc, 'program', ALLOW_SEALING);
  if (made === undefined) throw refused();
  try {
    if (writeSync(made, program) !== program.length) throw refused();
    if (libc.syscall(FCNTL, [made, ADD_SEALS, ALL_SEALS]) !== 0) throw refused();
    return openSync(`/proc/self/fd/${made}`, 'r');
  } finally {
    closeSync(made);
  }
}

function refused(): PalyraError {
  return new PalyraError('SANDBOX_UNAVAILABLE', 'the kernel makes no program without a file', {
    help: 'set `vm.memfd_noexec` to 0 or 1',
  });
}
