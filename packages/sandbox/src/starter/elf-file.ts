import type { Bytes } from '@palyra/kernel';

const MACHINES = { x64: 62, arm64: 183 } as const;
export type ElfMachine = keyof typeof MACHINES;

const BASE = 0x40_0000;
const FILE_HEADER = 64;
const PROGRAM_HEADER = 56;
const EXECUTABLE = 2;
const LOAD = 1;
const READ_EXECUTE = 5;
/** The largest page that either machine may have. */
const ALIGNMENT = 0x1_0000;

/** Where the code lies in memory: what stands behind it can be pointed at. */
export const CODE_AT = BASE + FILE_HEADER + PROGRAM_HEADER;

/** A static program of one piece: headers, code, and what the code reads. */
export function elfFile(machine: ElfMachine, code: Bytes): Bytes {
  const start = FILE_HEADER + PROGRAM_HEADER;
  const size = BigInt(start + code.length);
  const file = Buffer.alloc(FILE_HEADER);
  // 64 bits, little-endian, version 1.
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(file);
  file.writeUInt16LE(EXECUTABLE, 16);
  file.writeUInt16LE(MACHINES[machine], 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(CODE_AT), 24);
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
