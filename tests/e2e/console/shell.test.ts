import { type Response, expect as expectPage } from '@playwright/test';
import { verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleStage, openStage } from './harness.ts';

const held: { stage?: ConsoleStage } = {};
function stage(): ConsoleStage {
  if (held.stage === undefined) throw new TypeError('there is no stage');
  return held.stage;
}

beforeAll(async () => {
  held.stage = await openStage([[{ text: 'hello\n' }]]);
});
afterAll(async () => {
  await held.stage?.[Symbol.asyncDispose]();
});

describe('the console', () => {
  it(
    'opens with a link, once, and stays signed in over a reload without keeping a token',
    verifies('console:nothing-to-take'),
    async () => {
      const link = await stage().link();
      const context = await stage().browser.newContext();
      const page = await context.newPage();
      await page.goto(link);
      await expectPage(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
      expect(page.url()).toBe(`${stage().origin}/`);
      await page.reload();
      await expectPage(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
      const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
      expect(kept).toBe('[{},{}]');
      const other = await (await stage().browser.newContext()).newPage();
      await other.goto(link);
      await expectPage(other.getByRole('alert')).toContainText('link');
      await context.close();
      await other.context().close();
    },
  );

  it('leads everywhere by keyboard alone', verifies('console:keyboard'), async () => {
    await using visit = await stage().open();
    const { page } = visit;
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    await expectPage(page.getByRole('heading', { level: 1, name: 'Journal' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('sand');
    await page.keyboard.press('Enter');
    await expectPage(page.getByRole('heading', { level: 1, name: 'Sandbox' })).toBeVisible();
    expect(visit.complaints).toEqual([]);
    expect(visit.strangers).toEqual([]);
  });

  it('starts with less than 200 kB of script', verifies('console:small'), async () => {
    await using visit = await stage().open('/');
    const page = await visit.context.newPage();
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) sizes.push(sizeOf(response));
    });
    await page.goto(`${stage().origin}/`, { waitUntil: 'commit' });
    await expectPage(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(200_000);
  });
});

async function sizeOf(response: Response): Promise<number> {
  return Number((await response.allHeaders())['content-length'] ?? Number.NaN);
}
