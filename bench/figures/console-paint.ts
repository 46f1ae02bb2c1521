import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { openStage } from '../../tests/e2e/console/harness.ts';
import { setup } from '../../tools/setup/built-programs.ts';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';

const CONSOLE = 'the console, signed in, Home';
const ANSWERED = 'the same, with the state of the gateway on it';
const AGAIN = 'the same, on a later visit';
const EMPTY = 'a page that only says a sentence';
const SLOWDOWN = 4;

export const consolePaint: Figure = {
  says: `From the start of a navigation to the first frame with something useful, on a processor ${SLOWDOWN} times slower, on a first visit: nothing in the cache. Useful is the page as its caller may use it; what its cards have asked for comes a moment later, and on a later visit the scripts are in the cache.`,
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
        subject(CONSOLE, () =>
          timePaint(context, { url: `${stage.origin}/`, selector: 'main h1' }),
        ),
        subject(ANSWERED, () =>
          timePaint(context, { url: `${stage.origin}/`, selector: 'main dl' }),
        ),
        subject(AGAIN, () =>
          timePaint(context, { url: `${stage.origin}/`, selector: 'main h1', isCached: true }),
        ),
        subject(EMPTY, () =>
          timePaint(context, { url: `${stage.origin}/healthz`, selector: 'pre' }),
        ),
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

interface Wish {
  readonly url: string;
  readonly selector: string;
  readonly isCached?: boolean;
}

async function timePaint(
  context: BrowserContext,
  { url, selector, isCached = false }: Wish,
): Promise<number> {
  const page = await context.newPage();
  try {
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: !isCached });
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
