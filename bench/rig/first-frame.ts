import { setTimeout as sleep } from 'node:timers/promises';
import type { BareBrowser, BarePage } from './bare-browser.ts';

export interface Wish {
  readonly url: string;
  /** What makes a frame a useful one. */
  readonly selector: string;
  readonly isCached?: boolean;
  /** So many times slower than it is, the processor is made. */
  readonly slowdown: number;
}

/** Opens the console with a link, so that the browser's later pages are somebody's. */
export async function signIn(browser: BareBrowser, link: string): Promise<void> {
  await using page = await openWatched(browser, 'main h1');
  await page.send('Page.navigate', { url: link });
  await usefulAt(page);
}

/** From the start of the navigation, as the page itself counts. */
export async function timePaint(
  browser: BareBrowser,
  { url, selector, isCached = false, slowdown }: Wish,
): Promise<number> {
  await using page = await openWatched(browser, selector);
  await page.send('Network.setCacheDisabled', { cacheDisabled: !isCached });
  await page.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.send('Page.navigate', { url });
  return await usefulAt(page);
}

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
