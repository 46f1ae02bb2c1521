import type { Bytes } from '@palyra/kernel';
import { ARM64_STARTER } from './arm64.ts';
import { X86_64_STARTER } from './x86-64.ts';

/** The descriptor on which it tells what became of the command. */
export const REPORT = 6;

const CODE = {
  x64: { machine: 62, hex: X86_64_STARTER },
  arm64: { machine: 183, hex: ARM64_STARTER },
} as const;
export type StarterMachine = keyof typeof CODE;

const BASE = 0x40_0000;
const FILE_HEADER = 64;
const PROGRAM_HEADER = 56;
const EXECUTABLE = 2;
const LOAD = 1;
const READ_EXECUTE = 5;
/** The largest page that either machine may have. */
const ALIGNMENT = 0x1_0000;

/**
 * A static program that runs another in a session of its own, waits, and writes its wait status as
 * four bytes to the descriptor REPORT; before it, when the other could not be started, the error
 * number with the highest bit set. No shell tells an exit code of 137 from a death by SIGKILL.
 * Its arguments: the path of the program, then the program's own, from its name on.
 */
export function starterElf(machine: StarterMachine): Bytes {
  const { machine: number, hex } = CODE[machine];
  const code = Buffer.from(hex.join(''), 'hex');
  const start = FILE_HEADER + PROGRAM_HEADER;
  const size = BigInt(start + code.length);
  const file = Buffer.alloc(FILE_HEADER);
  // 64 bits, little-endian, version 1.
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(file);
  file.writeUInt16LE(EXECUTABLE, 16);
  file.writeUInt16LE(number, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(BASE + start), 24);
  file.writeBigUInt64LE(BigInt(FILE_HEADER), 32);
  file.writeUInt16LE(FILE_HEADER, 52);
  file.writeUInt16LE(PROGRAM_HEADER, 54);
  file.writeUInt16LE(1, 56);
  const load = Buffer.alloc(PROGRAM_HEADER);
  load.writeUInt32LE(LOAD, 0);
  load.writeUInt32LE(READ_EXECUTE, 4);
  load.writeBigUInt64LE(BigInt(BASE), 16);
  load.writeBigUInt64LE(BigInt(BASE), 24);
  load.writeBigUInt64LE(size, 32);
  load.writeBigUInt64LE(size, 40);
  load.writeBigUInt64LE(BigInt(ALIGNMENT), 48);
  return new Uint8Array(Buffer.concat([file, load, code]));
}

export type Report =
  | { readonly kind: 'not-started'; readonly errno: number }
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: number };

const NOT_STARTED = 0x8000_0000;

/** Contract: `undefined` for one that was never finished. */
export function parseReport(bytes: Uint8Array): Report | undefined {
  if (bytes.length < 4) return undefined;
  const word = Buffer.from(bytes).readUInt32LE(0);
  if (word >= NOT_STARTED) return { kind: 'not-started', errno: word - NOT_STARTED };
  const signal = word & 0x7f;
  return signal === 0
    ? { kind: 'exited', code: (word >> 8) & 0xff }
    : { kind: 'signalled', signal };
}
