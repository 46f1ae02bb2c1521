import { PalyraError } from '@palyra/kernel';
import {
  type ApprovalRecord,
  ApprovalStatus,
  PrincipalKind,
  type ShapePast,
} from '@palyra/protocol';
import type { Caller } from '../identity/caller.ts';
import { briefApproval } from './brief-approval.ts';
import type { Answered, Answerer, ApprovalDesk, GivenAnswer, OfferedShape } from './ports.ts';
import { type PastParts, coveredPast, pastOf } from './shape-past.ts';

/** As many as can be open: whoever begins to watch sees all of them. */
const MOST_OPEN = 1_000;
/** Changes kept for a slow watcher; a slower one is cut off and may come back. */
const WATCH_BUFFER = 256;

/** A question with all that a person should know before they answer it. */
export interface WholeApproval {
  readonly record: ApprovalRecord;
  readonly offers: readonly (OfferedShape & { readonly past: ShapePast })[];
}

/** Questions to people, and what they may do with them. */
export class ApprovalFlows {
  /** What needs no flow of ours. */
  readonly desk: ApprovalDesk;
  readonly #parts: PastParts;

  constructor(desk: ApprovalDesk, parts: PastParts) {
    this.desk = desk;
    this.#parts = parts;
  }

  /** Contract: rejects with PERMISSION_DENIED for whoever is no person. */
  async answer(given: GivenAnswer, caller: Caller): Promise<Answered> {
    return await this.desk.answer(given, answererOf(caller));
  }

  /** Newest first, each without what is long. */
  async list(status: ApprovalStatus, limit: number): Promise<readonly ApprovalRecord[]> {
    return (await this.desk.list(status, limit)).map(briefApproval);
  }

  /** Contract: rejects with NOT_FOUND. */
  async show(approvalId: string, signal: AbortSignal): Promise<WholeApproval> {
    const { record, offers } = await this.desk.get(approvalId);
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
    yield* (await this.list(ApprovalStatus.PENDING, MOST_OPEN)).toReversed();
    while (!signal.aborted) {
      if (changes.length > WATCH_BUFFER) throw tooSlow();
      const next = changes.shift();
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
}

/** A token answers for nobody: a yes is a person's, through what they hold in their hands. */
function answererOf({ kind, member, principal, actor, channel }: Caller): Answerer {
  if (kind !== PrincipalKind.USER || member === undefined) {
    throw new PalyraError('PERMISSION_DENIED', 'only a person can answer', {
      help: 'answer from a paired device or the console',
    });
  }
  return { principal, actor, role: member.role, strength: 'device', channel };
}

function tooSlow(): PalyraError {
  return new PalyraError('OVERLOADED', 'the watcher is too slow and was cut off', {
    help: 'watch again: what waits comes first',
  });
}
