import type { RecordsPort } from '@palyra/records';
import { Table } from '@palyra/records';
import { ApprovalGrantSchema, ApprovalRecordSchema } from '@palyra/protocol';

/** Where questions and grants are kept. */
export interface Books {
  readonly records: RecordsPort;
  /** Those that are pending, or granted and not used yet. */
  readonly open: Table<typeof ApprovalRecordSchema>;
  /** The newest of those that are over; all of them are in the journal. */
  readonly closed: Table<typeof ApprovalRecordSchema>;
  readonly grants: Table<typeof ApprovalGrantSchema>;
}

/** Questions at once: more cannot be answered by people either. */
export const MAX_OPEN = 1_000;
export const MAX_CLOSED = 1_000;
export const MAX_GRANTS = 1_000;

export function openBooks(records: RecordsPort): Books {
  return {
    records,
    open: new Table(records, 'open_approvals', () => ApprovalRecordSchema),
    closed: new Table(records, 'closed_approvals', () => ApprovalRecordSchema),
    grants: new Table(records, 'approval_grants', () => ApprovalGrantSchema),
  };
}
