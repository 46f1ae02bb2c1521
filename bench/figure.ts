import type { Run } from './harness.ts';
import type { Target } from './target.ts';

/** `small` shows in seconds that a figure works; its numbers say nothing. */
export type Scale = 'full' | 'small';

export interface Figure {
  /** One sentence: what is measured, and against what. */
  readonly says: string;
  readonly targets: readonly Target[];
  /** `own`: it makes sandboxes itself, for which root needs mounts that nobody else sees. */
  readonly mounts?: 'own';
  readonly measure: (scale: Scale) => Promise<Measured>;
}

export interface Measured {
  readonly runs: readonly Run[];
  /** Facts that a reader needs to judge the numbers, such as how large the rows were. */
  readonly notes: readonly string[];
  /** Subjects that cannot be measured on this machine; a note says why. Targets about them are left out. */
  readonly absent?: readonly string[];
}

export interface Counts {
  readonly warmUps: number;
  readonly rounds: number;
}

export const ONE_ROUND: Counts = { warmUps: 0, rounds: 1 };
