import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoopDelay {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Contract: of the last full ten seconds; until there are ten, of the time since the start. */
export interface LoopDelayMeter extends Disposable {
  read(): LoopDelay;
}

const WINDOW_MS = 10_000;
const RESOLUTION_MS = 20;

export function createLoopDelayMeter(): LoopDelayMeter {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let lastWindow: LoopDelay | undefined;

  const readHistogram = (): LoopDelay => ({
    p50Ms: toDelayMs(histogram.percentile(50)),
    p99Ms: toDelayMs(histogram.percentile(99)),
  });
  const rotate = setInterval(() => {
    lastWindow = readHistogram();
    histogram.reset();
  }, WINDOW_MS).unref();

  return {
    read: () => lastWindow ?? readHistogram(),
    [Symbol.dispose]() {
      clearInterval(rotate);
      histogram.disable();
    },
  };
}

/** The histogram holds the distance between two samples, so the pause we asked for comes off. */
function toDelayMs(nanoseconds: number): number {
  const delayMs = Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return Math.round(delayMs * 1_000) / 1_000;
}
