import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { openStage, expectPage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const stage = shareStage((browser) => openStage([[{ text: 'hello\n' }]], { browser }));

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
    const page = await fetch(`${stage().origin}/`, { headers: { accept: 'text/html' } });
    const scripts = (await page.text()).match(/\/assets\/[^"]+\.js/g) ?? [];
    const sizes = await Promise.all(scripts.map(compressedSize));
    expect(sizes.length).toBeGreaterThan(2);
    // Home is among them; its charts come next.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(193_000);
  });
});

async function compressedSize(path: string): Promise<number> {
  const headers = { 'accept-encoding': 'br' };
  const response = await fetch(`${stage().origin}${path}`, { method: 'HEAD', headers });
  expect(response.headers.get('content-encoding')).toBe('br');
  return Number(response.headers.get('content-length') ?? Number.NaN);
}
