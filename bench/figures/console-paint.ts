import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { openStage } from '../../tests/e2e/console/harness.ts';
import { setup } from '../../tools/setup/built-programs.ts';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';

const CONSOLE = 'the console, signed in, Home';
const EMPTY = 'a page that only says a sentence';
const SLOWDOWN = 4;

export const consolePaint: Figure = {
  says: `From the start of a navigation to the first frame with something useful, on a processor ${SLOWDOWN} times slower, nothing in the cache.`,
  targets: [{ kind: 'value', subject: CONSOLE, limit: { atMost: 1_000 } }],
  measure: async (scale) => {
    await setup();
    await using stage = await openStage([[{ text: 'hello\n' }]]);
    await using visit = await stage.open('/');
    const { context } = visit;
    const run = await interleave({
      title: 'first useful frame',
      quantity: DURATION,
      subjects: [
        subject(CONSOLE, () => timePaint(context, `${stage.origin}/`, 'main h1')),
        subject(EMPTY, () => timePaint(context, `${stage.origin}/healthz`, 'pre')),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 2, rounds: 15 }),
    });
    return { runs: [run], notes: ['Chromium without a window, over loopback.'] };
  },
};

/** Runs in the page, before anything else does: when the frame after the first match was drawn. */
const watchFor = (selector: string) => `{
  const look = () => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return requestAnimationFrame(look);
    requestAnimationFrame(() => { globalThis.usefulAt = performance.now(); });
  };
  requestAnimationFrame(look);
}`;

async function timePaint(context: BrowserContext, url: string, selector: string): Promise<number> {
  const page = await context.newPage();
  try {
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.addInitScript({ content: watchFor(selector) });
    await page.goto(url);
    return await usefulAt(page);
  } finally {
    await page.close();
  }
}

/** Asked from outside: the page's policy lets nothing be evaluated in it. */
async function usefulAt(page: Page): Promise<number> {
  for (;;) {
    const ms: unknown = await page.evaluate('globalThis.usefulAt');
    if (typeof ms === 'number') return ms;
    await sleep(20);
  }
}
