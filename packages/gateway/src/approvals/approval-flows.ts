import { ANYBODY, type JsonObject, PalyraError } from '@palyra/kernel';
import {
  type ApprovalGrant,
  type ApprovalRecord,
  ApprovalStatus,
  PrincipalKind,
  type ShapePast,
} from '@palyra/protocol';
import type { Caller } from '../identity/caller.ts';
import type { ConsoleVisit, PasskeyCeremony, PasskeysPort } from '../identity/ports.ts';
import { briefApproval } from './brief-approval.ts';
import type { Answered, Answerer, ApprovalDesk, GivenAnswer, OfferedShape } from './ports.ts';
import { PastLine } from './past-line.ts';
import { type PastParts, coveredPast, pastOf } from './shape-past.ts';

/** As many as can be open: whoever begins to watch sees all of them. */
const MOST_OPEN = 1_000;
/** Questions that are told with grants: so many still fit into one message. */
const MOST_TOLD = 500;
/** Changes kept for a slow watcher; a slower one is cut off and may come back. */
const WATCH_BUFFER = 256;

export interface ApprovalParts extends PastParts {
  readonly identity: { readonly passkeys: Pick<PasskeysPort, 'beginAnswer' | 'confirmAnswer'> };
  /** Told of each answer before whoever gave it. Contract: never rejects. */
  readonly onAnswered: (record: ApprovalRecord) => Promise<void>;
}

/** A question with all that a person should know before they answer it. */
export interface WholeApproval {
  readonly record: ApprovalRecord;
  /** What is past is told while there is something to answer. */
  readonly offers: readonly (OfferedShape & { readonly past?: ShapePast })[];
}

export interface GrantList {
  readonly grants: readonly ApprovalGrant[];
  /** Of those for one exact call, as far as they are kept: a hash tells nobody what may run. */
  readonly approvals: readonly ApprovalRecord[];
}

/** Questions to people, and what they may do with them. */
export class ApprovalFlows {
  /** What needs no flow of ours. */
  readonly desk: ApprovalDesk;
  readonly #parts: ApprovalParts;
  readonly #pastLine = new PastLine();

  constructor(desk: ApprovalDesk, parts: ApprovalParts) {
    this.desk = desk;
    this.#parts = parts;
  }

  /** Contract: rejects with PERMISSION_DENIED for whoever is no person. */
  async answer(given: GivenAnswer, caller: Caller): Promise<Answered> {
    return await this.#answerAs(given, answererOf(caller));
  }

  /**
   * The same with a passkey. What was signed is used up before the answer counts: a crash in between
   * costs the person another touch, and nobody gets two answers out of one.
   */
  async answerConfirmed(
    given: GivenAnswer,
    assertion: string,
    visit: ConsoleVisit,
  ): Promise<Answered> {
    const who = answererOf(visit.caller);
    const { identity } = this.#parts;
    await identity.passkeys.confirmAnswer({ ...toConfirm(given), assertion }, visit);
    return await this.#answerAs(given, { ...who, strength: 'passkey' });
  }

  async #answerAs(given: GivenAnswer, who: Answerer): Promise<Answered> {
    const answered = await this.desk.answer(given, who);
    await this.#parts.onAnswered(answered.record);
    return answered;
  }

  /** A challenge for this very answer. Contract: rejects for a question that does not wait for it. */
  async beginStepUp(given: GivenAnswer, visit: ConsoleVisit): Promise<PasskeyCeremony> {
    answererOf(visit.caller);
    const { record } = await this.desk.get(given.approvalId);
    demandWaiting(record, given);
    return await this.#parts.identity.passkeys.beginAnswer(toConfirm(given), visit);
  }

  /** Newest first, each without what is long. */
  async list(
    status: ApprovalStatus,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly ApprovalRecord[]> {
    const briefs: ApprovalRecord[] = [];
    for await (const record of this.desk.list(status, limit)) {
      signal?.throwIfAborted();
      briefs.push(briefApproval(record));
    }
    return briefs;
  }

  /** Every grant that holds. */
  async grants(): Promise<GrantList> {
    const grants = await this.desk.grants();
    const exact = grants.filter(({ shape }) => shape !== undefined && shape.argumentsSha256 !== '');
    const approvals: ApprovalRecord[] = [];
    for (const { approvalId } of exact.slice(-MOST_TOLD)) {
      const record = await this.#kept(approvalId);
      if (record !== undefined) approvals.push(briefApproval(record));
    }
    return { grants, approvals };
  }

  /** A grant may outlive its question. */
  async #kept(approvalId: string): Promise<ApprovalRecord | undefined> {
    try {
      return (await this.desk.get(approvalId)).record;
    } catch (reason) {
      if (PalyraError.from(reason).code === 'NOT_FOUND') return undefined;
      throw reason;
    }
  }

  /** Contract: rejects with NOT_FOUND, and with OVERLOADED when they look at too many at once. */
  async show(approvalId: string, whose: string, signal: AbortSignal): Promise<WholeApproval> {
    const { record, offers } = await this.desk.get(approvalId);
    if (record.status !== ApprovalStatus.PENDING) return { record, offers };
    using _place = await this.#pastLine.wait(whose);
    const past = await pastOf(record, this.#parts, signal);
    const sessionId = record.proposal?.sessionId ?? '';
    return {
      record,
      offers: offers.map((offer) => ({
        ...offer,
        past: coveredPast(past, sessionId, ({ proposal }) => {
          return proposal !== undefined && this.desk.covers(offer.shape, proposal);
        }),
      })),
    };
  }

  /** Those that wait, oldest first, then every change of any; each without what is long. */
  async *watch(signal: AbortSignal): AsyncGenerator<ApprovalRecord> {
    const changes: ApprovalRecord[] = [];
    let wake = () => {};
    using stack = new DisposableStack();
    stack.use(
      this.desk.watch((record) => {
        // One more than is kept tells that some were lost.
        if (changes.length <= WATCH_BUFFER) changes.push(briefApproval(record));
        wake();
      }),
    );
    const onAbort = () => wake();
    signal.addEventListener('abort', onAbort, { once: true });
    stack.defer(() => signal.removeEventListener('abort', onAbort));
    yield* (await this.list(ApprovalStatus.PENDING, MOST_OPEN, signal)).toReversed();
    while (!signal.aborted) {
      if (changes.length > WATCH_BUFFER) throw tooSlow();
      const next = changes.shift();
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
}

/** A token answers for nobody: a yes is a person's, through what they hold in their hands. */
function answererOf(caller: Caller): Answerer {
  const { kind, member, principal, actor, channel, vouchedBy = [ANYBODY] } = caller;
  if (kind !== PrincipalKind.USER || member === undefined) {
    throw new PalyraError('PERMISSION_DENIED', 'only a person can answer', {
      help: 'answer from a paired device or the console',
    });
  }
  return { principal, actor, role: member.role, strength: 'device', channel, vouchedBy };
}

/** All that an answer says, its reason included. */
function toConfirm(given: GivenAnswer): { readonly about: string; readonly terms: JsonObject } {
  const { approvalId, fingerprint, answer, reason, scope, shape, until, uses } = given;
  const terms = { fingerprint, answer, reason, scope, shape, uses };
  return { about: approvalId, terms: { ...terms, until: until?.toISOString() ?? '' } };
}

/** Nobody is asked to sign what cannot count. What decides is the desk, when the answer comes. */
function demandWaiting({ status, fingerprint }: ApprovalRecord, given: GivenAnswer): void {
  if (status !== ApprovalStatus.PENDING) {
    throw new PalyraError('APPROVAL_CLOSED', 'the question is over already');
  }
  if (fingerprint === given.fingerprint) return;
  throw new PalyraError('INVALID_INPUT', 'the answer is for another call than the one that waits', {
    help: 'look at the question again',
  });
}

function tooSlow(): PalyraError {
  return new PalyraError('OVERLOADED', 'the watcher is too slow and was cut off', {
    help: 'watch again: what waits comes first',
  });
}
