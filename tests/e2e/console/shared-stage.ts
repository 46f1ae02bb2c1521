import { afterAll, beforeAll } from 'vitest';
import type { ConsoleStage } from './harness.ts';

/** One stage for all tests of a file: open before the first of them, closed after the last. */
export function shareStage(open: () => Promise<ConsoleStage>): () => ConsoleStage {
  const held: { stage?: ConsoleStage } = {};
  beforeAll(async () => {
    held.stage = await open();
  });
  afterAll(async () => {
    await held.stage?.[Symbol.asyncDispose]();
  });
  return () => {
    if (held.stage === undefined) throw new TypeError('there is no stage');
    return held.stage;
  };
}
