import type { Clock } from '@palyra/kernel';

export interface BreakerLimits {
  /** So many requests in a row that failed and it opens, however often each was tried. */
  readonly failures: number;
  /** How long it stays open at first; twice as long after each probe that fails. */
  readonly pauseMs: number;
  readonly maxPauseMs: number;
  /** A provider that wants to be left alone for longer is asked after this all the same. */
  readonly maxRestMs: number;
}

export const BREAKER_LIMITS: BreakerLimits = {
  failures: 5,
  pauseMs: 10_000,
  maxPauseMs: 300_000,
  maxRestMs: 600_000,
};

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
  /** The provider wants to be left alone for so long; it is well. */
  | { readonly kind: 'resting'; readonly waitMs: number }
  /** Somebody else finds out right now whether all is well. */
  | { readonly kind: 'probed' };

export interface Breaker {
  /** `request` is the same for each attempt at one. */
  enter(request: object): Entrance;
  /** The provider said just now for how long nobody may ask it. Contract: never brings that nearer. */
  rest(ms: number): void;
  /** `half-open`: the next one, or the one that is under way, finds out whether all is well. */
  standing(): 'closed' | 'open' | 'half-open';
  /** When somebody may be let through again; `undefined` unless it is open. */
  opensAt(): Date | undefined;
}

interface Closed {
  readonly at: 'closed';
  readonly failed: ReadonlySet<object>;
}

type State =
  | Closed
  | { readonly at: 'open'; readonly until: number; readonly pauseMs: number }
  /** By the word of the provider itself, so no probe has to find out afterwards. */
  | { readonly at: 'resting'; readonly until: number; readonly back: Closed }
  | { readonly at: 'probing'; readonly pauseMs: number };

const WELL: Closed = { at: 'closed', failed: new Set() };

/** Keeps requests from a provider that is unwell, and lets one through now and then to find out. */
export function createBreaker(clock: Clock, limits: BreakerLimits = BREAKER_LIMITS): Breaker {
  let state: State = WELL;
  // What set out before the last change of state must not undo it when it returns.
  let era = 0;
  const become = (next: State) => {
    state = next;
    era += 1;
  };
  const nowMs = () => clock.now().getTime();
  const open = (pauseMs: number) => become({ at: 'open', until: nowMs() + pauseMs, pauseMs });

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
    become({ at: 'open', until: nowMs(), pauseMs: state.pauseMs });
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
    rest: (ms) => become(restingUntil(nowMs() + Math.min(ms, limits.maxRestMs), state)),
    standing: () => standingOf(state, nowMs()),
    opensAt: () => openUntil(state, nowMs()),
    enter: (request) => {
      if (state.at === 'resting' && state.until <= nowMs()) become(state.back);
      if (state.at === 'probing') return { kind: 'probed' };
      if (state.at === 'resting') return { kind: 'resting', waitMs: state.until - nowMs() };
      if (state.at === 'open') {
        const waitMs = state.until - nowMs();
        if (waitMs > 0) return { kind: 'shut', waitMs };
        become({ at: 'probing', pauseMs: state.pauseMs });
      }
      return { kind: 'open', passage: passage(request) };
    },
  };
}

function restingUntil(until: number, state: State): State {
  switch (state.at) {
    case 'closed':
      return { at: 'resting', until, back: state };
    case 'probing':
      return { at: 'resting', until, back: WELL };
    case 'open':
    case 'resting':
      return { ...state, until: Math.max(state.until, until) };
  }
}

function standingOf(state: State, nowMs: number): ReturnType<Breaker['standing']> {
  if (openUntil(state, nowMs) !== undefined) return 'open';
  return state.at === 'closed' || state.at === 'resting' ? 'closed' : 'half-open';
}

function openUntil(state: State, nowMs: number): Date | undefined {
  if (state.at === 'closed' || state.at === 'probing') return undefined;
  return state.until <= nowMs ? undefined : new Date(state.until);
}
