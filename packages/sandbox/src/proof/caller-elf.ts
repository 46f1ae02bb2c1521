import type { Bytes } from '@palyra/kernel';
import type { Machine } from '../seccomp/compile.ts';
import { CODE_AT, elfFile } from '../starter/elf-file.ts';
import { ARM64_CALLER, X86_64_CALLER } from './caller-code.ts';

/** A call of the kernel, by its number; bytes and texts stand for where they lie. */
export interface KernelCall {
  readonly number: number;
  readonly arguments: readonly (number | string | Bytes)[];
}

const CODE = { x64: X86_64_CALLER, arm64: ARM64_CALLER } as const;
const WORD_BYTES = 8;
const CALL_WORDS = 7;
const END = -1;

/**
 * A static program that makes these calls, one after the other, and writes what each gave. So every
 * machine can be tried, whatever languages it has: a shell cannot make a call of its own.
 */
export function callerElf(machine: Machine, calls: readonly KernelCall[]): Bytes {
  const code = Buffer.from(CODE[machine].join(''), 'hex');
  const table = Buffer.alloc((calls.length * CALL_WORDS + 1) * WORD_BYTES);
  const texts: Buffer[] = [];
  let end = CODE_AT + code.length + table.length;
  const place = (argument: number | string | Bytes): number => {
    if (typeof argument === 'number') return argument;
    const bytes = typeof argument === 'string' ? `${argument}\0` : argument;
    const kept = Buffer.from(bytes);
    texts.push(kept);
    end += kept.length;
    return end - kept.length;
  };
  const words = calls.flatMap((call) => {
    const six = Array.from({ length: CALL_WORDS - 1 }, (_, at) => place(call.arguments[at] ?? 0));
    return [call.number, ...six];
  });
  for (const [at, word] of [...words, END].entries()) {
    table.writeBigInt64LE(BigInt(word), at * WORD_BYTES);
  }
  return elfFile(machine, new Uint8Array(Buffer.concat([code, table, ...texts])));
}

/** What each call gave, in their order; a negative one is an error's number. Contract: as many as were made. */
export function readResults(output: Uint8Array): readonly number[] {
  const bytes = Buffer.from(output);
  return Array.from({ length: Math.floor(bytes.length / WORD_BYTES) }, (_, at) =>
    Number(bytes.readBigInt64LE(at * WORD_BYTES)),
  );
}
