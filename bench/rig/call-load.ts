import { performance } from 'node:perf_hooks';

export interface CallLoad {
  readonly concurrency: number;
  readonly sampleMs: number;
}

/** Calls a second, `concurrency` of them open at any time. */
export async function callRate(call: () => Promise<unknown>, load: CallLoad): Promise<number> {
  const startedAt = performance.now();
  const endAt = startedAt + load.sampleMs;
  let calls = 0;
  const caller = async () => {
    while (performance.now() < endAt) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: load.concurrency }, caller));
  return calls / ((performance.now() - startedAt) / 1_000);
}
