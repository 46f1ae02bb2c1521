import { fromJson, toJson } from '@bufbuild/protobuf';
import { canonicalJson, type JournalKind, type SealedEntry } from '@palyra/kernel';
import {
  ErrorDetailSchema,
  RunEndedSchema,
  RunStartedSchema,
  RunStatus,
  StopReason,
} from '@palyra/protocol';
import type { RunRow } from './tables/runs.ts';

export type RunEntry = Pick<
  SealedEntry,
  'kind' | 'runId' | 'sessionId' | 'sequence' | 'time' | 'payload'
>;

/**
 * What a run's row is after one more entry. Pure, and used both when an entry is written and when
 * the store is verified. Contract: the row as it was for an entry that changes nothing, `undefined`
 * for one of a run that never started; throws for a payload that is not of the kind's shape.
 */
export function projectRun(before: RunRow | undefined, entry: RunEntry): RunRow | undefined {
  const { kind } = entry;
  if (!isRunKind(kind)) return before;
  if (kind === 'run.queued') return newRun(before, entry, RunStatus.QUEUED);
  if (kind === 'run.started') return newRun(before, entry, RunStatus.ACTIVE);
  return before === undefined ? undefined : changedRun(before, entry, kind);
}

/** The kinds that change the row of a run. */
type RunKind = Extract<JournalKind, `run.${string}`>;

export function isRunKind(kind: JournalKind): kind is RunKind {
  return kind.startsWith('run.');
}

/** Contract: throws for a payload that is not of the kind's shape. */
export function checkRunPayload(kind: JournalKind, payload: RunEntry['payload']): void {
  if (kind === 'run.queued' || kind === 'run.started') fromJson(RunStartedSchema, { ...payload });
  if (kind === 'run.ended') fromJson(RunEndedSchema, { ...payload });
}

function newRun(before: RunRow | undefined, entry: RunEntry, status: RunStatus): RunRow {
  const { prompt, model, principal } = fromJson(RunStartedSchema, { ...entry.payload });
  return {
    startedSequence: before?.startedSequence ?? entry.sequence,
    runId: entry.runId ?? '',
    sessionId: entry.sessionId ?? '',
    status,
    startedAt: entry.time,
    endedAt: '',
    principal,
    model,
    prompt,
    error: '',
    stopReason: StopReason.UNSPECIFIED,
  };
}

function changedRun(
  run: RunRow,
  entry: RunEntry,
  kind: Exclude<RunKind, 'run.queued' | 'run.started'>,
): RunRow {
  switch (kind) {
    case 'run.compacted':
      return run;
    case 'run.resumed':
      return {
        ...run,
        status: RunStatus.ACTIVE,
        endedAt: '',
        error: '',
        stopReason: StopReason.UNSPECIFIED,
      };
    case 'run.interrupted':
      return { ...run, status: RunStatus.INTERRUPTED, endedAt: entry.time };
    case 'run.ended': {
      const { status, error, stopReason } = fromJson(RunEndedSchema, { ...entry.payload });
      const ended = { ...run, status, stopReason, endedAt: entry.time };
      if (error === undefined) return ended;
      return { ...ended, error: canonicalJson(toJson(ErrorDetailSchema, error)) };
    }
  }
}
