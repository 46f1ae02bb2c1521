import type { Bytes } from '@palyra/kernel';
import { CODE_AT, type ElfMachine, elfFile } from '../../starter/elf-file.ts';
import { ARM64_KEEPER } from './arm64.ts';
import { X86_64_KEEPER } from './x86-64.ts';

/** What stands where when it is started: after the streams and the report come these. */
export const DESCRIPTORS = {
  starter: 7,
  /** Its end is the end of everything inside. */
  control: 8,
  rules: 9,
  /** Applied a second time, to the command alone: so that the keeper is out of its reach. */
  scope: 10,
  /** Takes the descriptor on which the filter asks. */
  questions: 11,
  /** Itself. */
  program: 12,
} as const;

/** What it calls itself. */
export const KEEPER = 'keeper';

/** Which step failed, by how it ended. */
export const STEPS: ReadonlyMap<number, string> = new Map([
  [121, 'the ban on new rights was refused'],
  [122, 'it could not become the parent of orphans'],
  [123, 'Landlock was refused'],
  [124, 'the system call filter was refused'],
  [125, 'nobody took the questions of the filter'],
  [126, 'it could reach processes outside'],
  [127, 'no process could be made'],
]);

const CODE = { x64: X86_64_KEEPER, arm64: ARM64_KEEPER } as const;
const SHELL = Buffer.from('/bin/sh\0');
const INSTRUCTION_BYTES = 8;
/** The head of the data: the filter's, the words and no environment, the shell's name, and a handler. */
const FILTER_AT = 72;
const IGNORED = 1n;

/**
 * A static program that puts itself into the cage, starts a shell in it, and stays: it takes every
 * orphan for its child, and ends everything inside when its control is closed, so also when whoever
 * started it was killed. No process namespace is needed for that: with Landlock's scope a signal to
 * everybody meets everybody inside and nobody else.
 */
export function keeperElf(machine: ElfMachine, filter: Bytes): Bytes {
  const code = Buffer.from(CODE[machine].join(''), 'hex');
  const padded = Buffer.alloc(Math.ceil(code.length / 8) * 8);
  code.copy(padded);
  const dataAt = BigInt(CODE_AT + padded.length);
  const head = Buffer.alloc(FILTER_AT);
  head.writeUInt16LE(filter.length / INSTRUCTION_BYTES, 0);
  head.writeBigUInt64LE(dataAt + BigInt(FILTER_AT), 8);
  head.writeBigUInt64LE(dataAt + 32n, 16);
  SHELL.copy(head, 32);
  head.writeBigUInt64LE(IGNORED, 40);
  return elfFile(machine, new Uint8Array(Buffer.concat([padded, head, filter])));
}
