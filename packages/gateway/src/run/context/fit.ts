import type { Turn } from '../../ports.ts';
import type { Memory } from './memory.ts';
import { LESS_AND_LESS, tell } from './tell.ts';
import { tokensOf } from './tokens.ts';

/** As much of what tools returned as fits. Contract: `undefined` when nothing does. */
export function fit(memory: Memory, room: number): readonly Turn[] | undefined {
  return LESS_AND_LESS.values()
    .map((outputs) => tell(memory, outputs))
    .find((turns) => tokensOf(turns) <= room);
}
