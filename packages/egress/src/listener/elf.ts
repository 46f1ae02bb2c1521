/** The smallest static program: one read-only, executable piece of memory, headers included. */
export interface Program {
  readonly machine: 'x64' | 'arm64';
  /** Given where it will lie. Contract: of the same length wherever that is. */
  readonly at: (address: number) => Buffer;
}

const BASE = 0x400000;
const FILE_HEADER = 64;
const PROGRAM_HEADER = 56;
const ENTRY = BASE + FILE_HEADER + PROGRAM_HEADER;
const MACHINE = { x64: 62, arm64: 183 } as const;
const EXECUTABLE = 2;
const LOAD = 1;
const READ_EXECUTE = 5;
/** Both machines may have pages of this size; with smaller ones it does no harm. */
const ALIGNMENT = 0x10000;

export function elf({ machine, at }: Program): Buffer {
  const code = at(ENTRY);
  const size = BigInt(FILE_HEADER + PROGRAM_HEADER + code.length);
  const file = Buffer.alloc(FILE_HEADER);
  // 64 bits, little-endian, version 1, no particular system.
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(file);
  file.writeUInt16LE(EXECUTABLE, 16);
  file.writeUInt16LE(MACHINE[machine], 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(ENTRY), 24);
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
  return Buffer.concat([file, load, code]);
}
