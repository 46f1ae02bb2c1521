import type { Browser } from '@playwright/test';
import { afterAll, beforeAll } from 'vitest';
import { type ConsoleStage, launchBrowser } from './harness.ts';

/** One stage for all tests of a file: open before the first of them, closed after the last. */
export function shareStage(open: (browser: Browser) => Promise<ConsoleStage>): () => ConsoleStage {
  const browser = shareBrowser();
  const held: { stage?: ConsoleStage } = {};
  beforeAll(async () => {
    held.stage = await open(browser());
  });
  afterAll(async () => {
    await held.stage?.[Symbol.asyncDispose]();
  });
  return () => {
    if (held.stage === undefined) throw new TypeError('there is no stage');
    return held.stage;
  };
}

const kept: { browser?: Browser } = {};

/**
 * One browser for all files that a process tests one after the other: to start one takes longer than
 * many a story. It ends with the process. Nothing that is open in it outlives its file.
 */
export function shareBrowser(): () => Browser {
  const browser = () => {
    if (kept.browser === undefined) throw new TypeError('there is no browser');
    return kept.browser;
  };
  beforeAll(async () => {
    kept.browser ??= await launchBrowser();
  });
  afterAll(async () => {
    await Promise.all(
      browser()
        .contexts()
        .map((context) => context.close()),
    );
  });
  return browser;
}
