import type { Clock } from '@palyra/kernel';

export const FIXED_NOW = new Date('2030-01-02T03:04:05.678Z');

/** Stands still, and every sleep is over at once: a test never waits for time to pass. */
export function fixedClock(now: Date = FIXED_NOW): Clock {
  return {
    now: () => now,
    sleep: async (_ms, signal) => {
      signal.throwIfAborted();
    },
  };
}
