import type { Bytes } from '@palyra/kernel';

/** One instruction of the kernel's packet filter language, as `struct sock_filter` has it. */
export interface Instruction {
  readonly code: number;
  readonly jumpTrue: number;
  readonly jumpFalse: number;
  readonly value: number;
}

const CODES = {
  load: 0x20,
  jump: 0x05,
  equal: 0x15,
  greaterOrEqual: 0x35,
  bitSet: 0x45,
  give: 0x06,
} as const;

/** Where the kernel's `struct seccomp_data` has what is asked about. */
export const OFFSETS = { number: 0, architecture: 4, arguments: 16 } as const;

export const RESULTS = {
  allow: 0x7fff_0000,
  EPERM: 0x0005_0001,
  ENOSYS: 0x0005_0026,
  EOPNOTSUPP: 0x0005_005f,
  /** Nothing is done, and it is said that it worked. */
  pretend: 0x0005_0000,
  /** Whoever listens to the filter answers; without one it is as if the call were not there. */
  ask: 0x7fc0_0000,
  kill: 0x8000_0000,
} as const;
export type Result = keyof typeof RESULTS;

export function load(offset: number): Instruction {
  return { code: CODES.load, jumpTrue: 0, jumpFalse: 0, value: offset };
}

/** The lower half of an argument; the kernel itself takes no more of those that are looked at. */
export function loadArgument(place: number): Instruction {
  return load(OFFSETS.arguments + 8 * place);
}

export function loadUpperHalf(place: number): Instruction {
  return load(OFFSETS.arguments + 8 * place + 4);
}

export function give(result: Result): Instruction {
  return { code: CODES.give, jumpTrue: 0, jumpFalse: 0, value: RESULTS[result] };
}

type Test = 'equal' | 'greaterOrEqual' | 'bitSet';

/** Contract: a conditional jump reaches 255 instructions; a longer way takes one more. */
export function branch(
  test: Test,
  value: number,
  ways: { readonly yes: readonly Instruction[]; readonly no: readonly Instruction[] },
): readonly Instruction[] {
  const { yes, no } = ways;
  const jump = (jumpTrue: number, jumpFalse: number): Instruction => ({
    code: CODES[test],
    jumpTrue,
    jumpFalse,
    value,
  });
  if (no.length <= 255) return [jump(no.length, 0), ...no, ...yes];
  const far = { code: CODES.jump, jumpTrue: 0, jumpFalse: 0, value: no.length };
  return [jump(0, 1), far, ...no, ...yes];
}

const INSTRUCTION_BYTES = 8;
/** The kernel takes no longer program. */
export const MAX_INSTRUCTIONS = 4096;

/** As bwrap reads it from a descriptor; every machine that we know is little-endian. */
export function bytesOf(program: readonly Instruction[]): Bytes {
  if (program.length > MAX_INSTRUCTIONS) throw new RangeError('the filter is too long');
  const bytes = new Uint8Array(program.length * INSTRUCTION_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [place, { code, jumpTrue, jumpFalse, value }] of program.entries()) {
    const start = place * INSTRUCTION_BYTES;
    view.setUint16(start, code, true);
    view.setUint8(start + 2, jumpTrue);
    view.setUint8(start + 3, jumpFalse);
    view.setUint32(start + 4, value, true);
  }
  return bytes;
}
