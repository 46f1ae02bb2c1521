import type { Page } from '@playwright/test';
import { verifies } from '@palyra/testkit';
import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from './accessibility.ts';
import { openStage, expectPage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const PATHS = [
  '/',
  '/chat',
  '/runs',
  '/approvals',
  '/policy',
  '/journal',
  '/sandbox',
  '/devices',
  '/access',
  '/settings',
  '/doctor',
];
const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 720 };
const ask = { tool: 'process.run', arguments: { command: 'echo', args: ['hello'] } };
/** A time as programs write it; people are told how long ago it was. */
const RAW_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d/;
const held: { approvalId?: string } = {};

const stage = shareStage((browser) =>
  openStage([[{ text: 'I will look.\n' }, ask], [{ text: 'done\n' }]], { browser }),
);
beforeAll(async () => {
  // One run that waits for a person, so that no page is empty.
  const events = stage().client.runs.startRun({ prompt: 'look around' });
  for await (const { event } of events) {
    if (event.case !== 'approvalChanged') continue;
    held.approvalId = event.value.approvalId;
    break;
  }
});

/** Waits until nothing is waited for any more. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expectPage(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
}

it(
  'every page fits on a phone, tells times in words, and is accessible in either theme',
  verifies('console:accessible', 'console:responsive'),
  async () => {
    await using visit = await stage().open('/', { viewport: PHONE });
    const { page } = visit;
    const found: string[] = [];
    for (const path of [...PATHS, `/approvals/${held.approvalId}`, '/policy#explain', '/nowhere']) {
      await page.setViewportSize(PHONE);
      await page.goto(`${stage().origin}${path}`);
      await settled(page);
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
      if (width > PHONE.width) found.push(`${path} is ${width} wide`);
      const text = await page.getByRole('main').innerText();
      if (RAW_TIME.test(text)) found.push(`${path} shows ${RAW_TIME.exec(text)?.[0]}`);
      await page.setViewportSize(DESK);
      await settled(page);
      found.push(...(await faultsOf(page)).map((fault) => `${path} ${fault}`));
    }
    expect(found).toEqual([]);
    expect(visit.complaints).toEqual([]);
    expect(visit.strangers).toEqual([]);
  },
);
