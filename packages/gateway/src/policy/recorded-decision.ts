import { create, fromJson } from '@bufbuild/protobuf';
import { PalyraError, type SealedEntry, isJsonObject, quote } from '@palyra/kernel';
import {
  AccessRefusedSchema,
  DecisionKind,
  type ToolDecision,
  ToolDecisionSchema,
} from '@palyra/protocol';
import type { JournalPort } from '../ports.ts';
import { entriesOfRun } from '../run/watch.ts';

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;

/**
 * The decision about the call that an entry is about, or the refusal that it tells of.
 * Contract: NOT_FOUND when it is about neither.
 */
export async function decisionOf(entry: SealedEntry, journal: JournalPort): Promise<ToolDecision> {
  if (entry.kind === 'access.refused') return refusalIn(entry);
  const { callId } = entry.payload;
  const isOfCall = entry.kind.startsWith('tool.') && typeof callId === 'string';
  if (!isOfCall || entry.runId === undefined) {
    throw new PalyraError('NOT_FOUND', `entry ${quote(entry.id)} is about no tool call`, {
      help: 'name an entry whose kind begins with `tool.` or is `access.refused`; `palyra journal tail` shows them',
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

/** What a caller of the gateway was refused: a decision without a call. */
function refusalIn({ payload }: SealedEntry): ToolDecision {
  if (!isJsonObject(payload)) throw new PalyraError('JOURNAL_CORRUPT', 'a refusal is no object');
  const refused = fromJson(AccessRefusedSchema, payload, READ);
  const { reason, help, ruleIds, policySetHash, policyEngine, asked } = refused;
  const why = { kind: DecisionKind.DENY, reason, help, ruleIds, policyEngine };
  // Without a question no set of rules had a part in it.
  return create(ToolDecisionSchema, { ...why, ...(asked && { asked, policySetHash }) });
}
