import type { ApprovalRecord, ApprovalStatus } from '@palyra/protocol';
import type { RecordWrite, Row } from '@palyra/records';
import { type Books, MAX_CLOSED } from './books.ts';
import { approvalEntry } from './notes.ts';
import { GATEWAY, type Parts } from './parts.ts';

export interface Closing {
  readonly status: ApprovalStatus;
  readonly reason: string;
  readonly actor?: string;
}

/** Ends a question, and gives it as it is then. Contract: rejects with CONFLICT when somebody was faster. */
export async function close(
  { books, room, clock }: Parts,
  row: Row<ApprovalRecord>,
  { status, reason, actor = GATEWAY }: Closing,
): Promise<ApprovalRecord> {
  const record = { ...row.value, status, reason, closedAt: clock.now().toISOString() };
  await books.records.transact({
    writes: await closingWrites(books, row, record),
    entries: [approvalEntry('approval.closed', record, { actor })],
  });
  room.tell(record);
  return record;
}

/** From the open to the closed ones, of which the oldest makes room. */
export async function closingWrites(
  { records, open, closed }: Books,
  row: Row<ApprovalRecord>,
  record: ApprovalRecord,
): Promise<readonly RecordWrite[]> {
  const writes = [open.drop(row), closed.put(row.id, record, 0)];
  if ((await closed.count()) < MAX_CLOSED) return writes;
  const [oldest] = await records.list('closed_approvals', { limit: 1 });
  if (oldest === undefined) return writes;
  const { id, version } = oldest;
  return [...writes, closed.drop({ id, version, value: undefined })];
}
