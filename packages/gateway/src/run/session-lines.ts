import { PalyraError, type SessionId } from '@palyra/kernel';

export interface LineLimits {
  /** Sessions that may be busy at once. */
  readonly busy: number;
  /** Runs that may wait in one session. */
  readonly waiting: number;
}

/** A run's place in the line of its session. */
export interface Place {
  /** False for one that has to wait for those before it. */
  readonly isFirst: boolean;
  /** Resolves when it is this one's turn. Contract: never rejects, and never resolves after `leave`. */
  readonly turn: Promise<void>;
  /** Lets the next one on. Contract: may be called more than once. */
  leave(): void;
}

interface Standing {
  readonly call: () => void;
}

/** One active run a session; more may wait, and go on in the order in which they came. */
export class SessionLines {
  readonly #lines = new Map<SessionId, Standing[]>();

  /** Contract: takes effect at once, before anything is awaited; throws SESSION_BUSY or OVERLOADED. */
  enter(sessionId: SessionId, whenBusy: 'wait' | 'refuse', limits: LineLimits): Place {
    const line = this.#lines.get(sessionId) ?? [];
    if (line.length === 0) this.#checkBusy(limits);
    else checkWaiting(sessionId, { whenBusy, waiting: line.length - 1, limits });
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    const standing = { call: resolve };
    line.push(standing);
    this.#lines.set(sessionId, line);
    line.at(0)?.call();
    return {
      isFirst: line.length === 1,
      turn,
      leave: () => this.#leave(sessionId, standing),
    };
  }

  isBusy(sessionId: SessionId): boolean {
    return this.#lines.has(sessionId);
  }

  #leave(sessionId: SessionId, standing: Standing): void {
    const line = this.#lines.get(sessionId)?.filter((other) => other !== standing) ?? [];
    if (line.length === 0) {
      this.#lines.delete(sessionId);
      return;
    }
    this.#lines.set(sessionId, line);
    line.at(0)?.call();
  }

  #checkBusy({ busy }: LineLimits): void {
    if (this.#lines.size < busy) return;
    throw new PalyraError('OVERLOADED', `${busy} runs are active already`);
  }
}

interface Waiter {
  readonly whenBusy: 'wait' | 'refuse';
  readonly waiting: number;
  readonly limits: LineLimits;
}

function checkWaiting(sessionId: SessionId, { whenBusy, waiting, limits }: Waiter): void {
  if (whenBusy === 'refuse') {
    throw new PalyraError('SESSION_BUSY', `session \`${sessionId}\` already has an active run`);
  }
  if (waiting >= limits.waiting) {
    throw new PalyraError('OVERLOADED', `${waiting} runs wait in session \`${sessionId}\` already`);
  }
}
