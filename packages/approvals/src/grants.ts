import { create } from '@bufbuild/protobuf';
import { type EntryDraft, PalyraError, isSameWorkspace, quote } from '@palyra/kernel';
import {
  type ApprovalGrant,
  ApprovalGrantSchema,
  type ApprovalRecord,
  type CallPreview,
  GrantScope,
  type GrantShape,
  type WorkspaceFolder,
} from '@palyra/protocol';
import { type Row, retryOnConflict } from '@palyra/records';
import { approversOf } from './approvers.ts';
import { boundOf, isAsGranted, isBound } from './as-granted.ts';
import { MAX_GRANTS } from './books.ts';
import { coveredEntry, grantEntry } from './notes.ts';
import { GATEWAY, type Parts } from './parts.ts';
import type { Answerer, ApprovalAnswer, GrantedAnswer, Question } from './ports.ts';
import { covers } from './shape.ts';
import { isWithin } from './span.ts';

/** For how long and how often, as the person wants it. */
export interface GrantWish {
  /** SESSION or UNTIL. */
  readonly scope: GrantScope;
  readonly shape: GrantShape;
  /** For `UNTIL`. */
  readonly until: Date | undefined;
  /** 0 for the default. */
  readonly uses: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SESSION_MS = DAY_MS;
const LONGEST_MS = 30 * DAY_MS;
const DEFAULT_USES = 100;
const MOST_USES = 10_000;

export function isLive({ createdAt, expiresAt, usesLeft }: ApprovalGrant, now: Date): boolean {
  return usesLeft > 0 && isWithin({ from: createdAt, until: expiresAt }, now);
}

/** Contract: whatever ends it takes no part in deciding; it only makes room and says so. */
export async function endOldGrants({ books, clock }: Parts): Promise<void> {
  const now = clock.now().toISOString();
  for (const { id, value } of await books.grants.all()) {
    if (value.expiresAt > now) continue;
    await retryOnConflict(async () => {
      const row = await books.grants.get(id);
      if (row === undefined) return;
      await books.records.transact({
        writes: [books.grants.drop(row)],
        entries: [grantEntry('grant.ended', row.value, { actor: GATEWAY })],
      });
    });
  }
}

/**
 * A live grant that covers the call, with one use of it taken: of two calls that want the last use,
 * one gets it. Contract: `undefined` when there is none, or nobody who gave it counts any more.
 */
export async function useGrant(
  parts: Parts,
  question: Question,
): Promise<ApprovalAnswer | undefined> {
  const { books, clock } = parts;
  return await retryOnConflict(async () => {
    const now = clock.now();
    const rows = await books.grants.all();
    const workspace = parts.workspace.now(question.proposal.workspace);
    const fitting = rows.filter(
      ({ value }) => isLive(value, now) && fits(value, question, workspace),
    );
    const chosen = await holding(fitting, question);
    if (chosen === undefined) return undefined;
    const { row, ...held } = chosen;
    const approvers = await approversOf(row.value.voices, parts.people);
    if (approvers.length === 0) return undefined;
    const { approvalId } = row.value;
    const answer: GrantedAnswer = { kind: 'granted', approvalId, approvers, ...held };
    const decided = (await question.alongside?.(answer)) ?? [];
    await takeUse(parts, row, { ...question, decided });
    return { ...answer, isDecided: decided.length > 0 };
  });
}

interface Holding {
  readonly row: Row<ApprovalGrant>;
  /** As it was looked at for a grant that is bound to it, so that just this is executed. */
  readonly shown?: CallPreview;
}

/** The first that holds with things as they are; those that do not ask to look at them come first. */
async function holding(
  rows: readonly Row<ApprovalGrant>[],
  question: Question,
): Promise<Holding | undefined> {
  const open = rows.find(({ value }) => !isBound(value.shape));
  if (open !== undefined) return { row: open };
  if (rows.length === 0) return undefined;
  const now = await question.preview();
  const row = rows.find(({ value }) => isAsGranted(value, now));
  return row === undefined ? undefined : { row, shown: { ...now, foldersMayChange: true } };
}

async function takeUse(
  { books }: Parts,
  row: Row<ApprovalGrant>,
  { proposal, decided }: Question & { readonly decided: readonly EntryDraft[] },
): Promise<void> {
  const { value: grant } = row;
  const used = { ...grant, usesLeft: grant.usesLeft - 1, uses: grant.uses + 1 };
  await books.records.transact({
    writes: [
      used.usesLeft === 0 ? books.grants.drop(row) : books.grants.put(row.id, used, row.version),
    ],
    entries: [
      grantEntry('grant.used', used, { actor: GATEWAY, proposal }),
      coveredEntry(used, proposal, { actor: GATEWAY }),
      ...decided,
    ],
  });
}

/** INVARIANT: another principal, session, gate or workspace: somebody is asked again. */
function fits(
  { principal, scope, sessionId, gateIds, shape, workspace }: ApprovalGrant,
  { proposal, gates }: Question,
  here: WorkspaceFolder,
): boolean {
  return (
    shape !== undefined &&
    isSameWorkspace(workspace, here) &&
    principal === proposal.principal &&
    (scope === GrantScope.UNTIL || sessionId === proposal.sessionId) &&
    gates.every(({ ruleId }) => gateIds.includes(ruleId)) &&
    covers(shape, proposal)
  );
}

/** Contract: throws for a wish that is out of bounds; nothing is written. */
export async function draftGrant(
  parts: Parts,
  record: ApprovalRecord,
  wish: GrantWish,
): Promise<ApprovalGrant> {
  const { books, clock, ids } = parts;
  if ((await books.grants.count()) >= MAX_GRANTS) await endOldGrants(parts);
  if ((await books.grants.count()) >= MAX_GRANTS) {
    throw new PalyraError('OVERLOADED', `there are ${MAX_GRANTS} grants already`, {
      help: 'revoke some: `palyra approvals grants`',
    });
  }
  const now = clock.now();
  const { proposal } = record;
  return create(ApprovalGrantSchema, {
    grantId: ids.next<'grant'>(),
    approvalId: record.approvalId,
    principal: proposal?.principal ?? '',
    scope: wish.scope,
    sessionId: wish.scope === GrantScope.SESSION ? (proposal?.sessionId ?? '') : '',
    shape: wish.shape,
    gateIds: record.gates.map(({ ruleId }) => ruleId),
    voices: record.voices,
    createdAt: now.toISOString(),
    expiresAt: endOf(wish, now).toISOString(),
    usesLeft: usesOf(wish),
    ...(record.workspace === undefined ? {} : { workspace: record.workspace }),
    ...(record.preview === undefined || !isBound(wish.shape)
      ? {}
      : { shown: boundOf(record.preview) }),
  });
}

function endOf({ scope, until }: GrantWish, now: Date): Date {
  if (scope === GrantScope.SESSION) return new Date(now.getTime() + SESSION_MS);
  const ms = (until?.getTime() ?? Number.NaN) - now.getTime();
  if (until !== undefined && ms > 0 && ms <= LONGEST_MS) return until;
  throw new PalyraError('INVALID_INPUT', 'the end of the grant is not within the next 30 days', {
    help: `give a time such as \`until=2h\` or \`until=${soonAfter(now)}\`, at most 30 days ahead`,
  });
}

/** For a hint: a time that would be taken. */
function soonAfter(now: Date): string {
  return new Date(now.getTime() + HOUR_MS).toISOString().replace(/\.\d+Z$/, 'Z');
}

function usesOf({ uses }: GrantWish): number {
  if (uses === 0) return DEFAULT_USES;
  if (Number.isSafeInteger(uses) && uses > 0 && uses <= MOST_USES) return uses;
  throw new PalyraError('INVALID_INPUT', `a grant covers 1 to ${MOST_USES} calls`);
}

export async function revokeGrant(
  { books }: Parts,
  grantId: string,
  { actor }: Pick<Answerer, 'actor'>,
): Promise<ApprovalGrant> {
  return await retryOnConflict(async () => {
    const row = await books.grants.get(grantId);
    if (row === undefined) {
      throw new PalyraError('NOT_FOUND', `there is no grant ${quote(grantId)}`, {
        help: '`palyra approvals grants` lists those that hold',
      });
    }
    await books.records.transact({
      writes: [books.grants.drop(row)],
      entries: [grantEntry('grant.revoked', row.value, { actor })],
    });
    return row.value;
  });
}
