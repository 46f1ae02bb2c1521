import type { Turn } from '../../ports.ts';
import type { Memory } from './memory.ts';
import { type Outputs, tell } from './tell.ts';
import { tokensOf } from './tokens.ts';

const LESS_AND_LESS: readonly Outputs[] = ['whole', 'old-shortened', 'all-shortened'];

/** As much of what tools returned as fits. Contract: `undefined` when nothing does. */
export function fit(memory: Memory, room: number): readonly Turn[] | undefined {
  return LESS_AND_LESS.values()
    .map((outputs) => tell(memory, outputs))
    .find((turns) => tokensOf(turns) <= room);
}
