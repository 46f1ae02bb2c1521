import type { Browser, Page } from '@playwright/test';
import * as z from 'zod';

/** What runs in the page is text: these tests are compiled for Node, which knows no documents. */
const LIST = `document.querySelector('[role="log"]')`;
const FRAME = `new Promise((resolve) => requestAnimationFrame(resolve))`;

export async function heightOf(page: Page): Promise<number> {
  return z.number().parse(await page.evaluate(`${LIST}.scrollHeight`));
}

/** Contract: what is seen from there on is drawn. */
export async function scrollTo(page: Page, top: number): Promise<void> {
  await page.evaluate(
    `${LIST}.scrollTo(0, ${top}); ${FRAME}.then(() => ${FRAME}).then(() => true)`,
  );
}

const traceShape = z.object({
  traceEvents: z.array(
    z.looseObject({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      dur: z.number().optional(),
      tdur: z.number().optional(),
      args: z.looseObject({ name: z.unknown().optional() }).optional(),
    }),
  ),
});

/**
 * How long the longest task of the page takes the processor, in milliseconds, while its list is
 * scrolled from the end to the beginning. Not how long it lasts: that depends on who else works here.
 */
export async function longestTaskMs(browser: Browser, page: Page): Promise<number> {
  const tasks = await scrolledTasks(browser, page);
  return Math.max(...tasks.map(({ processorMs }) => processorMs));
}

export interface Task {
  readonly processorMs: number;
  readonly lastedMs: number;
}

/** What the page does while its list is scrolled from the end to the beginning. */
export async function scrolledTasks(browser: Browser, page: Page): Promise<readonly Task[]> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await page.evaluate(`(async () => {
    const list = ${LIST};
    for (let top = list.scrollHeight; top > 0; top -= 600) {
      list.scrollTo(0, top);
      await ${FRAME};
    }
  })()`);
  const trace = await browser.stopTracing();
  const { traceEvents } = traceShape.parse(JSON.parse(trace.toString()));
  const threads = traceEvents.filter(({ args }) => args?.name === 'CrRendererMain');
  const ofPages = new Set(threads.map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents
    .filter(({ name, pid, tid }) => name.endsWith('RunTask') && ofPages.has(`${pid} ${tid}`))
    .map(({ dur = 0, tdur = 0 }) => ({ processorMs: tdur / 1000, lastedMs: dur / 1000 }));
  if (tasks.length === 0) throw new TypeError('the trace tells of no task');
  return tasks;
}

/** Of everything in the page that could lead somewhere, load something or run. */
export async function livePartsIn(page: Page): Promise<readonly string[]> {
  const parts: unknown = await page.evaluate(`(() => {
    const led = [...document.querySelectorAll('[href],[src],[srcdoc],[action],[data]')];
    const alive = [...document.querySelectorAll('*')].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')),
    );
    const addresses = led.map(
      (element) => element.getAttribute('href') ?? element.getAttribute('src') ?? element.outerHTML,
    );
    return [...addresses, ...alive.map((element) => element.outerHTML)];
  })()`);
  return z.array(z.string()).parse(parts);
}
