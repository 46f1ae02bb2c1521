import { type RunId, parseId } from '@palyra/kernel';
import { type ApprovalRecord, ApprovalStatus, RunStatus } from '@palyra/protocol';
import type { GatewayParts } from '../parts.ts';
import { eventOf } from './run-event.ts';
import { entriesOfRun } from './watch.ts';

type UnheardParts = Pick<GatewayParts, 'approvalDesk' | 'runs' | 'journal' | 'clock'>;

/** As many as are kept, open and closed. */
const MOST_KEPT = 2_000;

/**
 * Answers that still count, that came after their run was cut off, and that it never went on with:
 * the gateway ended in between, or could not let it. Newest first.
 */
export async function* unheardAnswers(parts: UnheardParts): AsyncGenerator<ApprovalRecord> {
  for await (const record of parts.approvalDesk.list(ApprovalStatus.UNSPECIFIED, MOST_KEPT)) {
    const runId = parseId<'run'>(record.proposal?.runId ?? '');
    if (runId === undefined || !isToBeHeard(record, parts.clock.now())) continue;
    if (await cameAfterTheCut(record, runId, parts)) yield record;
  }
}

/** A no is over when it is given, and told for as long as a yes would count. */
function isToBeHeard({ status, usedAt, deadline }: ApprovalRecord, now: Date): boolean {
  const isAnswered = status === ApprovalStatus.GRANTED || status === ApprovalStatus.DENIED;
  return isAnswered && usedAt === '' && Date.parse(deadline) > now.getTime();
}

/**
 * By the order of the journal, which no clock can change. INVARIANT: a run that was cut off with its
 * answer given already, as one that worked, waits for a person.
 */
async function cameAfterTheCut(
  { approvalId }: ApprovalRecord,
  runId: RunId,
  { runs, journal }: UnheardParts,
): Promise<boolean> {
  if ((await runs.get(runId))?.status !== RunStatus.INTERRUPTED) return false;
  let isUnheard = false;
  for await (const entry of entriesOfRun(runId, 0, journal)) {
    if (entry.kind === 'run.interrupted') isUnheard = false;
    if (entry.kind !== 'approval.answered') continue;
    const { event } = eventOf(entry);
    if (event.case === 'approvalChanged' && event.value.approvalId === approvalId) isUnheard = true;
  }
  return isUnheard;
}
