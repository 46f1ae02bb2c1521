/** Contract: what `readBytes` gives is at most a second old. */
export interface MemoryMeter {
  readBytes(): number;
}

const SAMPLE_MS = 1000;

/** Asking the system costs more than the rest of an answer, and nobody needs it newer. */
export function createMemoryMeter(askSystem = () => process.memoryUsage.rss()): MemoryMeter {
  let sample: number | undefined;
  return {
    readBytes() {
      if (sample !== undefined) return sample;
      // No timer while nobody asks.
      setTimeout(() => {
        sample = undefined;
      }, SAMPLE_MS).unref();
      sample = askSystem();
      return sample;
    },
  };
}
