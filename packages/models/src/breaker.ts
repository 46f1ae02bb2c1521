import type { Clock } from '@palyra/kernel';

export interface BreakerLimits {
  /** So many requests in a row that failed and it opens, however often each was tried. */
  readonly failures: number;
  /** How long it stays open at first; twice as long after each probe that fails. */
  readonly pauseMs: number;
  readonly maxPauseMs: number;
}

export const BREAKER_LIMITS: BreakerLimits = { failures: 5, pauseMs: 10_000, maxPauseMs: 300_000 };

/** Leave to try once. Contract: exactly one of the three ends it; what comes later counts nothing. */
export interface Passage {
  succeed(): void;
  fail(): void;
  /** It ended for a reason that says nothing about the provider. */
  withdraw(): void;
}

export type Entrance =
  | { readonly kind: 'open'; readonly passage: Passage }
  | { readonly kind: 'shut'; readonly waitMs: number }
  /** Somebody else finds out right now whether all is well. */
  | { readonly kind: 'probed' };

export interface Breaker {
  /** `request` is the same for each attempt at one. */
  enter(request: object): Entrance;
  /** `half-open`: the next one, or the one that is under way, finds out whether all is well. */
  standing(): 'closed' | 'open' | 'half-open';
}

type State =
  | { readonly at: 'closed'; readonly failed: ReadonlySet<object> }
  | { readonly at: 'open'; readonly until: number; readonly pauseMs: number }
  | { readonly at: 'probing'; readonly pauseMs: number };

const WELL: State = { at: 'closed', failed: new Set() };

/** Keeps requests from a provider that is unwell, and lets one through now and then to find out. */
export function createBreaker(clock: Clock, limits: BreakerLimits = BREAKER_LIMITS): Breaker {
  let state: State = WELL;
  // What set out before the last change of state must not undo it when it returns.
  let era = 0;
  const become = (next: State) => {
    state = next;
    era += 1;
  };
  const open = (pauseMs: number) =>
    become({ at: 'open', until: clock.now().getTime() + pauseMs, pauseMs });

  const fail = (request: object) => {
    if (state.at === 'probing') return open(Math.min(state.pauseMs * 2, limits.maxPauseMs));
    if (state.at !== 'closed') return;
    state = { at: 'closed', failed: new Set([...state.failed, request]) };
    if (state.failed.size >= limits.failures) open(limits.pauseMs);
  };
  const succeed = () => {
    if (state.at === 'probing') return become(WELL);
    if (state.at === 'closed') state = WELL;
  };
  // The probe told nothing, so the next one may go at once.
  const withdraw = () => {
    if (state.at !== 'probing') return;
    become({ at: 'open', until: clock.now().getTime(), pauseMs: state.pauseMs });
  };

  const passage = (request: object): Passage => {
    const since = era;
    let isOver = false;
    const once = (act: () => void) => () => {
      if (isOver || since !== era) return;
      isOver = true;
      act();
    };
    return { succeed: once(succeed), fail: once(() => fail(request)), withdraw: once(withdraw) };
  };

  return {
    standing: () => {
      if (state.at === 'closed') return 'closed';
      const isDue = state.at === 'probing' || state.until <= clock.now().getTime();
      return isDue ? 'half-open' : 'open';
    },
    enter: (request) => {
      if (state.at === 'probing') return { kind: 'probed' };
      if (state.at === 'open') {
        const waitMs = state.until - clock.now().getTime();
        if (waitMs > 0) return { kind: 'shut', waitMs };
        become({ at: 'probing', pauseMs: state.pauseMs });
      }
      return { kind: 'open', passage: passage(request) };
    },
  };
}
