import { PalyraError } from '@palyra/kernel';
import { type ApprovalRecord, ApprovalStatus, PrincipalKind } from '@palyra/protocol';
import type { Caller } from '../identity/caller.ts';
import type { Answered, Answerer, ApprovalDesk, GivenAnswer } from './ports.ts';

/** Changes kept for a slow watcher; a slower one is cut off and may come back. */
const WATCH_BUFFER = 256;

/** Questions to people, and what they may do with them. */
export class ApprovalFlows {
  /** What needs no flow of ours. */
  readonly desk: ApprovalDesk;

  constructor(desk: ApprovalDesk) {
    this.desk = desk;
  }

  /** Contract: rejects with PERMISSION_DENIED for whoever is no person. */
  async answer(given: GivenAnswer, caller: Caller): Promise<Answered> {
    return await this.desk.answer(given, answererOf(caller));
  }

  /** Those that wait, oldest first, then every change of any. */
  async *watch(signal: AbortSignal): AsyncGenerator<ApprovalRecord> {
    const changes: ApprovalRecord[] = [];
    let wake = () => {};
    using _watch = this.desk.watch((record) => {
      changes.push(record);
      wake();
    });
    const onAbort = () => wake();
    signal.addEventListener('abort', onAbort, { once: true });
    yield* (await this.desk.list(ApprovalStatus.PENDING, WATCH_BUFFER)).toReversed();
    while (!signal.aborted) {
      if (changes.length > WATCH_BUFFER) throw tooSlow();
      const next = changes.shift();
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    signal.removeEventListener('abort', onAbort);
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
