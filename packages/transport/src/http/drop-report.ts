import type { Log } from '@palyra/kernel';

/** At most one line in this time, however many connections come. */
const EVERY_MS = 10_000;

/** Tells the operator how many connections were closed because too many are open. */
export interface DropReport extends Disposable {
  dropped(): void;
}

export function createDropReport(log: Log): DropReport {
  let count = 0;
  let pause: NodeJS.Timeout | undefined;
  const tell = () => {
    log.warn('too many connections, surplus ones were closed', { count });
    count = 0;
    pause = setTimeout(() => {
      pause = undefined;
      if (count > 0) tell();
    }, EVERY_MS).unref();
  };
  return {
    dropped() {
      count += 1;
      if (pause === undefined) tell();
    },
    [Symbol.dispose]: () => clearTimeout(pause),
  };
}
