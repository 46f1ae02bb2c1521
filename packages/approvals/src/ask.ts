import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { type ApprovalRecord, ApprovalRecordSchema, ApprovalStatus } from '@palyra/protocol';
import { type Row, retryOnConflict } from '@palyra/records';
import { approversOf } from './approvers.ts';
import { MAX_OPEN } from './books.ts';
import { close, closingWrites } from './closing.ts';
import { endOldGrants, useGrant } from './grants.ts';
import { newestFirst } from './newest-first.ts';
import { approvalEntry } from './notes.ts';
import { GATEWAY, type Parts } from './parts.ts';
import type { ApprovalAnswer, DeniedAnswer, Question } from './ports.ts';
import { isWithin } from './span.ts';

const DEFAULT_WAIT_S = 300;
const LONGEST_WAIT_S = 7 * 86_400;
const WITHDRAWN = { status: ApprovalStatus.CANCELLED, reason: 'the run was cancelled' } as const;

/**
 * A grant that covers the call, or the answer of people. The question is durable before anybody
 * waits, and it is the same one when the same call comes again after a restart.
 * Contract: rejects with the signal's reason as soon as that is aborted; the question then stays
 * open, and `withdraw` ends it. Rejects with APPROVAL_UNAVAILABLE when too many are open.
 */
export async function ask(
  parts: Parts,
  question: Question,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  signal.throwIfAborted();
  const known = (await answeredBefore(parts, question)) ?? (await useGrant(parts, question));
  if (known !== undefined) return known;
  const { id } = await posed(parts, question);
  for (;;) {
    const answer = await retryOnConflict(() => settle(parts, id));
    if (answer !== undefined) return answer;
    const waiting = () => untilChange(parts, id, signal);
    await (question.wait?.(waiting) ?? waiting());
  }
}

/** Ends what nobody waits for any more. */
export async function withdraw(parts: Parts, fingerprint: string): Promise<void> {
  await retryOnConflict(async () => {
    const row = await find(parts, fingerprint);
    if (row !== undefined) await close(parts, row, WITHDRAWN);
  });
}

/** The same for whatever a run asks. */
export async function withdrawAll(parts: Parts, runId: string, reason: string): Promise<void> {
  const { open } = parts.books;
  const own = (await open.all()).filter(({ value }) => value.proposal?.runId === runId);
  for (const { id } of own) {
    await retryOnConflict(async () => {
      const row = await open.get(id);
      if (row !== undefined) await close(parts, row, { ...WITHDRAWN, reason });
    });
  }
}

/** Closes what is past its time, and forgets grants that have ended. */
export async function sweep(parts: Parts): Promise<void> {
  for (const row of await parts.books.open.all()) {
    if (isLate(row.value, parts.clock.now())) await retryOnConflict(() => settle(parts, row.id));
  }
  await endOldGrants(parts);
}

export function isLate({ askedAt, deadline }: ApprovalRecord, now: Date): boolean {
  return !isWithin({ from: askedAt, until: deadline }, now);
}

async function find(
  { books }: Parts,
  fingerprint: string,
): Promise<Row<ApprovalRecord> | undefined> {
  const rows = await books.open.all();
  return rows.find(({ value }) => value.fingerprint === fingerprint);
}

/**
 * A no to this very call, which no grant makes good: whoever gave it is not asked the same once more. Or the yes
 * to it that was used before the call had its turn among those beside it; whoever comes again never started.
 */
async function answeredBefore(
  parts: Parts,
  question: Question,
): Promise<ApprovalAnswer | undefined> {
  const { proposal, wasCutOff = false } = question;
  if (!wasCutOff) return undefined;
  for await (const record of newestFirst([parts.books.closed], parts.turns)) {
    const { approvalId, fingerprint, status, reason } = record;
    // Ids rise with time: what was asked before the run began was not about its calls.
    if (approvalId < proposal.runId) return undefined;
    if (fingerprint !== proposal.fingerprint) continue;
    if (status === ApprovalStatus.DENIED) return denied(record, reason);
    return isYesTo(question, record, parts.clock.now()) ? await granted(parts, record) : undefined;
  }
  return undefined;
}

/** INVARIANT: of this call, for all that is asked now, and not for longer than any yes counts. */
function isYesTo(question: Question, record: ApprovalRecord, now: Date): boolean {
  const { status, usedAt, proposal } = record;
  const isUsed = status === ApprovalStatus.GRANTED && usedAt !== '';
  const isSameCall = proposal?.callId === question.proposal.callId;
  return isUsed && isSameCall && isAbout(record, question) && !isLate(record, now);
}

/** A question that a restart left open was reserved before it. */
async function posed(parts: Parts, question: Question): Promise<{ readonly id: string }> {
  const known = await find(parts, question.proposal.fingerprint);
  if (known !== undefined && isAbout(known.value, question)) return known;
  if (known !== undefined) {
    const reason = 'the rules ask for more than they did';
    await close(parts, known, { status: ApprovalStatus.CANCELLED, reason });
  }
  await question.reserve();
  return await retryOnConflict(() => pose(parts, question));
}

/** People answer what they were shown: a gate that came since is another question. */
function isAbout({ gates }: ApprovalRecord, question: Question): boolean {
  const shown = new Set(gates.map(({ ruleId }) => ruleId));
  return question.gates.every(({ ruleId }) => shown.has(ruleId));
}

async function pose(parts: Parts, question: Question): Promise<{ readonly id: string }> {
  const { books, room, clock, ids, workspace } = parts;
  const { proposal, gates, policySetHash } = question;
  if ((await books.open.count()) >= MAX_OPEN) {
    throw new PalyraError('APPROVAL_UNAVAILABLE', `${MAX_OPEN} questions are open already`);
  }
  const preview = await question.preview();
  const now = clock.now();
  const waitMs = 1000 * waitOf(gates);
  const approvalId = ids.next<'approval'>();
  const record = create(ApprovalRecordSchema, {
    approvalId,
    proposal,
    gates: [...gates],
    policySetHash,
    preview,
    workspace: workspace.now(proposal.workspace),
    fingerprint: proposal.fingerprint,
    status: ApprovalStatus.PENDING,
    askedAt: now.toISOString(),
    deadline: new Date(now.getTime() + waitMs).toISOString(),
  });
  await books.records.transact({
    writes: [books.open.put(approvalId, record, 0)],
    entries: [approvalEntry('approval.asked', record, { actor: GATEWAY })],
  });
  room.tell(record);
  return { id: approvalId };
}

/** The shortest that a rule says; most say nothing, and then the usual counts for all of them. */
function waitOf(gates: Question['gates']): number {
  const said = gates.map(({ waitSeconds }) => waitSeconds || DEFAULT_WAIT_S);
  const otherwise = said.filter((seconds) => seconds !== DEFAULT_WAIT_S);
  return Math.min(LONGEST_WAIT_S, ...(otherwise.length === 0 ? [DEFAULT_WAIT_S] : otherwise));
}

/** What the question has come to; `undefined` while it is open. */
async function settle(parts: Parts, id: string): Promise<ApprovalAnswer | undefined> {
  const { books, clock } = parts;
  const row = await books.open.get(id);
  if (row === undefined) return await over(parts, id);
  if (isLate(row.value, clock.now())) return await expire(parts, row);
  return row.value.status === ApprovalStatus.GRANTED ? await use(parts, row) : undefined;
}

async function over({ books }: Parts, id: string): Promise<ApprovalAnswer> {
  const row = await books.closed.get(id);
  const reason = row?.value.reason || 'the question is over, and its answer was used';
  return row === undefined ? { kind: 'denied', approvalId: id, reason } : denied(row.value, reason);
}

async function expire(parts: Parts, row: Row<ApprovalRecord>): Promise<ApprovalAnswer> {
  const reason = expiryOf(row.value);
  const status = ApprovalStatus.EXPIRED;
  await close(parts, row, { status, reason });
  return denied({ ...row.value, status }, reason);
}

/** The rules wanted a person: what they lack is no way out of what a person said, or did not say. */
const WAYS_OUT: Readonly<Partial<Record<ApprovalStatus, string>>> = {
  [ApprovalStatus.DENIED]: 'go on without it, or do it in another way',
  [ApprovalStatus.EXPIRED]: 'ask for it again, or go on without it',
};

function denied({ approvalId, status }: ApprovalRecord, reason: string): DeniedAnswer {
  const help = WAYS_OUT[status];
  return { kind: 'denied', approvalId, reason, ...(help === undefined ? {} : { help }) };
}

/** A yes that comes, and whose run does not go on in time, is no yes for later. */
export function expiryOf({ status }: ApprovalRecord): string {
  return status === ApprovalStatus.GRANTED
    ? 'it was granted, and the run did not go on in time'
    : 'nobody answered in time';
}

/** INVARIANT: a yes lets one call through, once: whoever moves the question to the closed ones. */
async function use(parts: Parts, row: Row<ApprovalRecord>): Promise<ApprovalAnswer> {
  const { books, room, clock } = parts;
  const now = clock.now().toISOString();
  const record = { ...row.value, usedAt: now, closedAt: now };
  const answer = await granted(parts, record);
  await books.records.transact({
    writes: await closingWrites(books, row, record),
    entries: [approvalEntry('approval.used', record, { actor: GATEWAY })],
  });
  room.tell(record);
  return answer;
}

async function granted({ people }: Parts, record: ApprovalRecord): Promise<ApprovalAnswer> {
  const { approvalId, voices, preview: shown } = record;
  const approvers = await approversOf(voices, people);
  return { kind: 'granted', approvalId, approvers, ...(shown === undefined ? {} : { shown }) };
}

async function untilChange(
  { books, room, clock }: Parts,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const woken = new AbortController();
  using _waiting = room.wait(id, () => woken.abort());
  // Read again now that nothing can be missed: it may have changed a moment ago.
  const row = await books.open.get(id);
  // An answer that came with it is found when the call comes again; used now, it would be lost.
  signal.throwIfAborted();
  if (row?.value.status !== ApprovalStatus.PENDING) return;
  const leftMs = Date.parse(row.value.deadline) - clock.now().getTime();
  const either = AbortSignal.any([signal, woken.signal]);
  await clock.sleep(Math.max(leftMs, 0), either).catch(() => {});
  signal.throwIfAborted();
}
