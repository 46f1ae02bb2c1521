import { PalyraError } from '@palyra/kernel';
import type { Libc } from './libc.ts';

const PRLIMIT64 = process.arch === 'arm64' ? 261 : 302;
const RLIMIT_CORE = 4;
const FIRST_DESCRIPTOR = 3;

/**
 * For the process that makes sandboxes, once: children inherit no descriptor by accident, and no core
 * dump of them or of us is ever delivered. A limit of one byte: with none, a handler to which the
 * kernel pipes dumps still gets them, outside and with root's rights.
 */
export function hardenProcess(libc: Libc): void {
  libc.closeOnExecFrom(FIRST_DESCRIPTOR);
  const oneByte = Buffer.alloc(16);
  oneByte.writeBigUInt64LE(1n, 0);
  oneByte.writeBigUInt64LE(1n, 8);
  if (libc.syscall(PRLIMIT64, [0, RLIMIT_CORE, oneByte, 0]) === 0) return;
  throw new PalyraError('SANDBOX_UNAVAILABLE', 'core dumps cannot be switched off', {
    help: 'raise the hard limit of this service for core dumps (`LimitCORE`) to at least one byte',
  });
}
