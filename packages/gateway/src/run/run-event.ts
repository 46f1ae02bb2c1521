import { create, fromJson } from '@bufbuild/protobuf';
import { JOURNAL_KINDS, type JournalKind, PalyraError, type SealedEntry } from '@palyra/kernel';
import { type RunEvent, RunEventSchema, type ToolOutputDelta } from '@palyra/protocol';
import type { AskedAgain } from '../ports.ts';

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;

/** A journal entry of a run as its watchers see it. */
export function eventOf(entry: SealedEntry): RunEvent {
  return create(RunEventSchema, {
    runId: entry.runId ?? '',
    sequence: BigInt(entry.sequence),
    entryId: entry.id,
    event: happeningOf(entry),
  });
}

export function textDeltaEvent(runId: string, text: string): RunEvent {
  return create(RunEventSchema, { runId, event: { case: 'textDelta', value: { text } } });
}

export function reasoningDeltaEvent(runId: string, text: string): RunEvent {
  return create(RunEventSchema, { runId, event: { case: 'reasoningDelta', value: { text } } });
}

export function askedAgainEvent(runId: string, { model, waitMs, why }: AskedAgain): RunEvent {
  const value = { model, waitMs: BigInt(waitMs), reason: why };
  return create(RunEventSchema, { runId, event: { case: 'modelAskedAgain', value } });
}

export function toolOutputEvent(runId: string, output: ToolOutputDelta): RunEvent {
  return create(RunEventSchema, { runId, event: { case: 'toolOutput', value: output } });
}

type RunKind = Extract<
  JournalKind,
  `${'run' | 'model' | 'tool' | 'sandbox' | 'approval' | 'file'}.${string}`
>;

function isRunKind(kind: JournalKind): kind is RunKind {
  return /^(run|model|tool|sandbox|approval|file)\./.test(kind);
}

function happeningOf({ kind, payload }: SealedEntry): RunEvent['event'] {
  if (!isRunKind(kind)) {
    throw new PalyraError('UNEXPECTED', `an entry of kind \`${kind}\` belongs to no run`);
  }
  switch (kind) {
    case 'run.queued':
      return { case: 'runQueued', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'run.started':
      return { case: 'runStarted', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'run.resumed':
      return { case: 'runResumed', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'run.interrupted':
      return { case: 'runInterrupted', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'run.compacted':
      return { case: 'runCompacted', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'run.ended':
      return { case: 'runEnded', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'model.message':
      return { case: 'modelMessage', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'model.spoken':
      return { case: 'modelSpoken', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'tool.proposed':
      return { case: 'toolProposed', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'tool.decided':
      return { case: 'toolDecided', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'tool.started':
      return { case: 'toolStarted', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'sandbox.connected':
      return { case: 'sandboxConnected', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'approval.asked':
    case 'approval.answered':
    case 'approval.closed':
    case 'approval.used':
      return { case: 'approvalChanged', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'file.changed':
    case 'file.restored':
      return { case: 'fileChanged', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'tool.finished':
      return { case: 'toolFinished', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
    case 'tool.attested':
      return { case: 'toolAttested', value: fromJson(JOURNAL_KINDS[kind], payload, READ) };
  }
}
