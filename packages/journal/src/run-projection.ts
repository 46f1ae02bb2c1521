import { create, fromJson } from '@bufbuild/protobuf';
import type { JournalKind, SealedEntry } from '@palyra/kernel';
import { type Run, RunEndedSchema, RunSchema, RunStartedSchema, RunStatus } from '@palyra/protocol';
import { type RunRow, toRow, toRun } from './tables/runs.ts';

export type RunEntry = Pick<
  SealedEntry,
  'kind' | 'runId' | 'sessionId' | 'sequence' | 'time' | 'payload'
>;

/** Which kinds of entries say something about a run as a whole. */
export function tellsOfRun(kind: JournalKind): boolean {
  return kind.startsWith('run.') || kind === 'tool.finished';
}

/**
 * What a run's row is after one more entry. Pure, and used both when an entry is written and when
 * the store is verified. Contract: `undefined` for an entry of a run that never started.
 */
export function projectRun(before: RunRow | undefined, entry: RunEntry): RunRow | undefined {
  if (entry.kind === 'run.started') return toRow(startedRun(entry), entry.sequence);
  if (before === undefined) return undefined;
  if (entry.kind === 'tool.finished') return withToolCall(before);
  return toRow(changedRun(toRun(before), entry), before.startedSequence);
}

export function withToolCall(row: RunRow): RunRow {
  return { ...row, toolCalls: row.toolCalls + 1 };
}

/** Contract: throws for a payload that is not of the kind's shape. */
export function checkRunPayload(kind: JournalKind, payload: RunEntry['payload']): void {
  if (kind === 'run.started') fromJson(RunStartedSchema, { ...payload });
  if (kind === 'run.ended') fromJson(RunEndedSchema, { ...payload });
}

function startedRun(entry: RunEntry): Run {
  const { prompt, model, principal } = fromJson(RunStartedSchema, { ...entry.payload });
  return create(RunSchema, {
    runId: entry.runId ?? '',
    sessionId: entry.sessionId ?? '',
    status: RunStatus.ACTIVE,
    startedAt: entry.time,
    prompt,
    model,
    principal,
  });
}

function changedRun(run: Run, entry: RunEntry): Run {
  switch (entry.kind) {
    case 'run.resumed': {
      const { error: _error, ...rest } = run;
      return { ...rest, status: RunStatus.ACTIVE, endedAt: '' };
    }
    case 'run.interrupted':
      return { ...run, status: RunStatus.INTERRUPTED, endedAt: entry.time };
    case 'run.ended': {
      const { status, error } = fromJson(RunEndedSchema, { ...entry.payload });
      return { ...run, status, endedAt: entry.time, ...(error === undefined ? {} : { error }) };
    }
    case 'run.started':
    case 'daemon.started':
    case 'daemon.stopped':
    case 'journal.archived':
    case 'model.message':
    case 'tool.proposed':
    case 'tool.decided':
    case 'tool.started':
    case 'tool.finished':
    case 'tool.attested':
      return run;
  }
}
