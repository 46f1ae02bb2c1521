/** Signals with which a person or the system asks this program to end. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls back on each request to end, with how many there were, until it is disposed of.
 * Without one the platform ends the program at once, which is right for short commands.
 */
export function onInterrupt(listener: (times: number) => void): Disposable {
  let times = 0;
  const handle = () => {
    times += 1;
    listener(times);
  };
  for (const signal of SIGNALS) process.on(signal, handle);
  return {
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.off(signal, handle);
    },
  };
}
