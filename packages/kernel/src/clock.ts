/** Time as everything here sees it, so that a test can hold it still. */
export interface Clock {
  now(): Date;
  /**
   * Contract: resolves after `ms`, rejects with the signal's reason as soon as it is aborted, and
   * with a RangeError for a wait that a timer cannot hold.
   */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** About 24.8 days. The platform's timers fire at once when they are asked for more. */
export const MAX_SLEEP_MS = 2 ** 31 - 1;

export function systemClock(): Clock {
  return {
    now: () => new Date(),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        if (!(ms <= MAX_SLEEP_MS)) throw new RangeError(`a wait of ${ms} ms is out of bounds`);
        const onAbort = () => {
          clearTimeout(timer);
          reject(signal.reason);
        };
        const timer = setTimeout(() => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        }, ms);
        signal.addEventListener('abort', onAbort, { once: true });
      }),
  };
}
