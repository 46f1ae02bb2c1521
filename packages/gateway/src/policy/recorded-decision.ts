import { fromJson } from '@bufbuild/protobuf';
import { PalyraError, type SealedEntry, isJsonObject, quote } from '@palyra/kernel';
import { type ToolDecision, ToolDecisionSchema } from '@palyra/protocol';
import type { JournalPort } from '../ports.ts';
import { entriesOfRun } from '../run/watch.ts';

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;

/** The decision about the call that an entry is about. Contract: NOT_FOUND when it is about none. */
export async function decisionOf(entry: SealedEntry, journal: JournalPort): Promise<ToolDecision> {
  const { callId } = entry.payload;
  const isOfCall = entry.kind.startsWith('tool.') && typeof callId === 'string';
  if (!isOfCall || entry.runId === undefined) {
    throw new PalyraError('NOT_FOUND', `entry ${quote(entry.id)} is about no tool call`, {
      help: 'name an entry whose kind begins with `tool.`; `palyra journal tail` shows them',
    });
  }
  if (entry.kind === 'tool.decided') return decisionIn(entry);
  for await (const each of entriesOfRun(entry.runId, 0, journal)) {
    if (each.kind === 'tool.decided' && each.payload['callId'] === callId) return decisionIn(each);
  }
  throw new PalyraError('NOT_FOUND', `the call of entry ${quote(entry.id)} is not decided yet`, {
    help: 'it may wait for a person, as `palyra approvals list` shows; if the daemon ended before it could be decided, resume the run',
  });
}

function decisionIn({ payload }: SealedEntry): ToolDecision {
  if (!isJsonObject(payload)) throw new PalyraError('JOURNAL_CORRUPT', 'a decision is no object');
  return fromJson(ToolDecisionSchema, payload, READ);
}
