import { setTimeout as sleep } from 'node:timers/promises';
import { openStage } from '../../tests/e2e/console/harness.ts';
import { setup } from '../../tools/setup/built-programs.ts';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';
import { type BareBrowser, type BarePage, launchBareBrowser } from '../rig/bare-browser.ts';

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
    await using browser = await launchBareBrowser();
    await signIn(browser, await stage.link());
    const run = await interleave({
      title: 'first useful frame',
      quantity: DURATION,
      subjects: [
        subject(CONSOLE, () =>
          timePaint(browser, { url: `${stage.origin}/`, selector: 'main h1' }),
        ),
        subject(ANSWERED, () =>
          timePaint(browser, { url: `${stage.origin}/`, selector: 'main dl' }),
        ),
        subject(AGAIN, () =>
          timePaint(browser, { url: `${stage.origin}/`, selector: 'main h1', isCached: true }),
        ),
        subject(EMPTY, () =>
          timePaint(browser, { url: `${stage.origin}/healthz`, selector: 'pre' }),
        ),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 2, rounds: 15 }),
    });
    return {
      runs: [run],
      notes: [
        'Chromium without a window, over loopback. Nothing listens to what happens in its pages, as in a visitor’s browser.',
      ],
    };
  },
};

/**
 * Runs in the page, before anything else does: when the frame with the first match was drawn. Asks for
 * no frame before that one: the page asks for none either.
 */
const watchFor = (selector: string) => `{
  const look = () => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return;
    changes.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => { globalThis.usefulAt = performance.now(); }));
  };
  const changes = new MutationObserver(look);
  changes.observe(document, { childList: true, subtree: true });
}`;

interface Wish {
  readonly url: string;
  readonly selector: string;
  readonly isCached?: boolean;
}

async function signIn(browser: BareBrowser, link: string): Promise<void> {
  await using page = await openWatched(browser, 'main h1');
  await page.send('Page.navigate', { url: link });
  await usefulAt(page);
}

async function timePaint(
  browser: BareBrowser,
  { url, selector, isCached = false }: Wish,
): Promise<number> {
  await using page = await openWatched(browser, selector);
  await page.send('Network.setCacheDisabled', { cacheDisabled: !isCached });
  await page.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.send('Page.navigate', { url });
  return await usefulAt(page);
}

async function openWatched(browser: BareBrowser, selector: string): Promise<BarePage> {
  const page = await browser.openPage();
  await page.send('Page.enable');
  await page.send('Network.enable');
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: watchFor(selector) });
  return page;
}

/** Asked from outside: the page's policy lets nothing be evaluated in it. */
async function usefulAt(page: BarePage): Promise<number> {
  for (;;) {
    const ms = await page.evaluate('globalThis.usefulAt');
    if (typeof ms === 'number') return ms;
    await sleep(20);
  }
}
