import type { Bytes } from '@palyra/kernel';
import { ARM64_STARTER } from './arm64.ts';
import { type ElfMachine, elfFile } from './elf-file.ts';
import { X86_64_STARTER } from './x86-64.ts';

/** The descriptor on which it tells what became of the command. */
export const REPORT = 6;

const CODE = { x64: X86_64_STARTER, arm64: ARM64_STARTER } as const;
export type StarterMachine = ElfMachine;

/**
 * A static program that runs another in a session of its own, waits, and writes its wait status as
 * four bytes to the descriptor REPORT; before it, when the other could not be started, the error
 * number with the highest bit set. No shell tells an exit code of 137 from a death by SIGKILL.
 * Its arguments: the path of the program, then the program's own, from its name on.
 */
export function starterElf(machine: StarterMachine): Bytes {
  return elfFile(machine, new Uint8Array(Buffer.from(CODE[machine].join(''), 'hex')));
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
