import { openLibc } from '../libc.ts';
import { type Instruction, branch, bytesOf, give, load } from '../seccomp/program.ts';
import { ARM64_SYSCALLS } from '../seccomp/syscalls-arm64.ts';
import { X86_64_SYSCALLS } from '../seccomp/syscalls-x86-64.ts';

const CALLS: Readonly<Record<string, number>> =
  process.arch === 'arm64' ? ARM64_SYSCALLS : X86_64_SYSCALLS;
const PR_SET_NO_NEW_PRIVS = 38;
const PR_SET_SECCOMP = 22;
const SECCOMP_MODE_FILTER = 2;

/** Makes the machine look like one whose kernel, or container, refuses these calls: for us and our children. */
export function refuseCalls(names: readonly string[]): void {
  const ffi = process.getBuiltinModule('node:ffi');
  if (ffi === undefined) throw new TypeError('this Node cannot call the C library');
  const program = names.reduceRight<readonly Instruction[]>(
    (no, name) => branch('equal', CALLS[name] ?? -1, { yes: [give('EPERM')], no }),
    [give('allow')],
  );
  const bytes = bytesOf([load(0), ...program]);
  const head = Buffer.alloc(16);
  head.writeUInt16LE(bytes.length / 8, 0);
  head.writeBigUInt64LE(ffi.getRawPointer(bytes), 8);
  const libc = openLibc();
  const prctl = CALLS['prctl'] ?? -1;
  libc.syscall(prctl, [PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0]);
  const set = libc.syscall(prctl, [PR_SET_SECCOMP, SECCOMP_MODE_FILTER, head]);
  if (set !== 0) throw new TypeError('the filter was refused');
}
