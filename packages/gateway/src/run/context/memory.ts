import type { Bytes } from '@palyra/kernel';
import type { AnswerUnit, PromptUnit, Unit } from './units.ts';

/** Everything that a run knows of what was said before, as far as it is told to its model. */
export interface Memory {
  /** What the workspace says of itself; empty when it says nothing. */
  readonly notes: string;
  /** What stands for everything up to an entry. */
  readonly summary: Summary | undefined;
  /** There was more before, and it cannot be told any more. */
  readonly isCut: boolean;
  /** Of the runs before this one, oldest first. */
  readonly earlier: readonly Unit[];
  /** The prompt of this run. INVARIANT: always told word for word. */
  readonly prompt: PromptUnit;
  /** What came after the prompt, in this run. */
  readonly own: readonly AnswerUnit[];
  /** Bytes of images by hash; those that are not here are told of. */
  readonly images: ReadonlyMap<string, Bytes>;
}

export interface Summary {
  readonly throughSequence: number;
  readonly text: string;
}

/** What may be told in short, oldest first. */
export function compactable({ earlier, own }: Memory): readonly Unit[] {
  return [...earlier, ...own];
}

/** The same with everything up to an entry told in short. */
export function withSummary(memory: Memory, summary: Summary): Memory {
  const isLater = ({ sequence }: Unit) => sequence > summary.throughSequence;
  return {
    ...memory,
    summary,
    isCut: false,
    earlier: memory.earlier.filter(isLater),
    own: memory.own.filter(isLater),
  };
}
