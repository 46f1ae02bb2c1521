import { systemClock } from '@palyra/kernel';

const clock = systemClock();

export interface Tick {
  readonly subscribe: (onTick: () => void) => () => void;
  readonly now: () => number;
}

/** One timer for everybody who shows how long ago something was; it stops when nobody does. */
export function createTick(everyMs: number): Tick {
  const listeners = new Set<() => void>();
  const state: { now: number; timer?: ReturnType<typeof setInterval> } = {
    now: clock.now().getTime(),
  };
  const beat = () => {
    state.now = clock.now().getTime();
    for (const listener of listeners) listener();
  };
  return {
    subscribe(onTick) {
      listeners.add(onTick);
      if (state.timer === undefined) {
        state.now = clock.now().getTime();
        state.timer = setInterval(beat, everyMs);
      }
      return () => {
        listeners.delete(onTick);
        if (listeners.size === 0) {
          clearInterval(state.timer);
          delete state.timer;
        }
      };
    },
    now: () => state.now,
  };
}
