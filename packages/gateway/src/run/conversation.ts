import type { SealedEntry } from '@palyra/kernel';
import type { ModelToolCall, Turn } from '../ports.ts';
import { type JustBegun, type MemoryParts, isWholeAnswer, remember } from './context/remember.ts';
import { ALL_WHOLE, tell } from './context/tell.ts';
import { type StartedCall, unitsOf } from './context/units.ts';
import type { PrincipalRun } from './run-note.ts';
import type { TaintLabel } from './taint.ts';

/** What the journal knows of a run and of those that it remembers, enough to go on. */
export interface Recollection {
  /** Everything that was said, also in the runs before. */
  readonly turns: readonly Turn[];
  /** Calls of the last message of this run that have no result yet, in order. */
  readonly open: readonly OpenCall[];
  /** Of this run alone. */
  readonly entries: readonly SealedEntry[];
  /** What has been seen, in this run and in all that it remembers. */
  readonly taint: ReadonlySet<TaintLabel>;
}

export interface OpenCall {
  readonly call: ModelToolCall;
  /** Set once `tool.started` is on record: the call may have had its effect. */
  readonly started: StartedCall | undefined;
}

/** Contract: the run has begun; `known` as of `remember`. */
export async function recollect(
  run: PrincipalRun,
  parts: MemoryParts,
  known?: JustBegun,
): Promise<Recollection> {
  const { memory, entries, taint } = await remember(run, parts, known);
  const answers = unitsOf(entries).filter(isWholeAnswer);
  const open = answers.at(-1)?.calls.filter(({ result }) => result === undefined) ?? [];
  return {
    turns: tell(memory, ALL_WHOLE),
    open: open.map(({ call, started }) => ({ call, started })),
    entries,
    taint,
  };
}
