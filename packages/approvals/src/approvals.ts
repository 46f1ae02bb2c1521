import { PalyraError, Turns, quote } from '@palyra/kernel';
import {
  type ApprovalGrant,
  type ApprovalRecord,
  ApprovalStatus,
  type GrantShape,
  type ToolProposal,
} from '@palyra/protocol';
import type { RecordsPort } from '@palyra/records';
import { type Answer, type Answered, answer } from './answer.ts';
import { ask, sweep, withdraw, withdrawAll } from './ask.ts';
import { openBooks } from './books.ts';
import { isLive, revokeGrant } from './grants.ts';
import { newestFirst } from './newest-first.ts';
import type { Parts } from './parts.ts';
import type { Answerer, ApprovalAnswer, Question } from './ports.ts';
import { type Offer, covers, offersFor } from './shape.ts';
import { WaitingRoom } from './waiting-room.ts';

/** Questions to people, their answers, and what follows from them. */
export interface Approvals {
  ask(question: Question, signal: AbortSignal): Promise<ApprovalAnswer>;
  /** For a call that was cancelled while it waited. */
  withdraw(fingerprint: string): Promise<void>;
  /** For a run that was cancelled while nobody drove it: none of its calls can. */
  withdrawAll(runId: string, reason: string): Promise<void>;
  answer(given: Answer, who: Answerer): Promise<Answered>;
  /** Newest first, at most `limit`, read as they are taken; UNSPECIFIED for any. */
  list(status: ApprovalStatus, limit: number): AsyncIterable<ApprovalRecord>;
  /** Contract: rejects with NOT_FOUND. */
  get(approvalId: string): Promise<{ record: ApprovalRecord; offers: readonly Offer[] }>;
  /** Called after each change is durable. Contract: a watcher does not throw or wait. */
  watch(watcher: (record: ApprovalRecord) => void): Disposable;
  /** Whether a grant of this shape would cover the call. */
  covers(shape: GrantShape, proposal: ToolProposal): boolean;
  /** Those that hold. */
  grants(): Promise<readonly ApprovalGrant[]>;
  revoke(grantId: string, who: Pick<Answerer, 'actor'>): Promise<ApprovalGrant>;
  /** Closes what is past its time; to be called now and then. */
  sweep(): Promise<void>;
}

export interface ApprovalParts extends Omit<Parts, 'books' | 'room' | 'turns'> {
  readonly records: RecordsPort;
}

export function createApprovals({ records, ...rest }: ApprovalParts): Approvals {
  const turns = new Turns((turn) => void setImmediate(turn));
  const parts: Parts = { ...rest, books: openBooks(records), room: new WaitingRoom(), turns };
  return {
    ask: (question, signal) => ask(parts, question, signal),
    withdraw: (fingerprint) => withdraw(parts, fingerprint),
    withdrawAll: (runId, reason) => withdrawAll(parts, runId, reason),
    answer: (given, who) => answer(parts, given, who),
    list: (status, limit) => list(parts, { status, limit }),
    get: (approvalId) => get(parts, approvalId),
    watch: (watcher) => parts.room.watch(watcher),
    covers,
    grants: () => grants(parts),
    revoke: (grantId, who) => revokeGrant(parts, grantId, who),
    sweep: () => sweep(parts),
  };
}

interface Wanted {
  readonly status: ApprovalStatus;
  readonly limit: number;
}

async function* list(
  { books: { open, closed }, turns }: Parts,
  { status, limit }: Wanted,
): AsyncGenerator<ApprovalRecord, void, undefined> {
  let left = limit;
  if (left <= 0) return;
  const tables = status === ApprovalStatus.PENDING ? [open] : [open, closed];
  for await (const record of newestFirst(tables, turns)) {
    if (status !== ApprovalStatus.UNSPECIFIED && record.status !== status) continue;
    yield record;
    left -= 1;
    if (left === 0) return;
  }
}

async function get({ books }: Parts, approvalId: string) {
  const row = (await books.open.get(approvalId)) ?? (await books.closed.get(approvalId));
  if (row === undefined) {
    throw new PalyraError('NOT_FOUND', `there is no question ${quote(approvalId)}`, {
      help: '`palyra approvals list` shows what is waiting',
    });
  }
  const { value: record } = row;
  return { record, offers: record.proposal === undefined ? [] : offersFor(record.proposal) };
}

async function grants({ books, clock }: Parts): Promise<readonly ApprovalGrant[]> {
  const now = clock.now();
  return (await books.grants.all()).map(({ value }) => value).filter((grant) => isLive(grant, now));
}
