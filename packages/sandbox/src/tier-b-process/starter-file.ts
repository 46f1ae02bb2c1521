import { closeSync, openSync, writeSync } from 'node:fs';
import { type Bytes, PalyraError } from '@palyra/kernel';
import type { Libc } from '../libc.ts';

const SYSCALLS =
  process.arch === 'arm64' ? { memfd_create: 279, fcntl: 25 } : { memfd_create: 319, fcntl: 72 };
const CLOSE_ON_EXEC = 1;
const ALLOW_SEALING = 2;
const EXECUTABLE = 0x10;
const ADD_SEALS = 1033;
/** Nothing may be added, taken, written, or unsealed. */
const ALL_SEALS = 0xf;
const NAME = Buffer.from('palyra-starter\0');

/**
 * A program that no folder holds and nobody can change, ready to be handed down. Contract: a descriptor that
 * can only be read; the caller closes it. Throws SANDBOX_UNAVAILABLE where the kernel refuses one.
 */
export function sealProgram(libc: Libc, program: Bytes): number {
  const flags = CLOSE_ON_EXEC | ALLOW_SEALING;
  const asked = libc.syscall(SYSCALLS.memfd_create, [NAME, flags | EXECUTABLE]);
  // Kernels before 6.3 do not know that flag, and make every one executable.
  const made = asked < 0 ? libc.syscall(SYSCALLS.memfd_create, [NAME, flags]) : asked;
  if (made < 0) throw refused();
  try {
    if (writeSync(made, program) !== program.length) throw refused();
    if (libc.syscall(SYSCALLS.fcntl, [made, ADD_SEALS, ALL_SEALS]) !== 0) throw refused();
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
