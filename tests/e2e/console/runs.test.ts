import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunStatus } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStage, expectPage } from './harness.ts';
import { shareStage } from './shared-stage.ts';
import { heightOf, longestTaskMs, scrollTo } from './story-list.ts';

const TURNS = 11;
const CALLS = 100;
/** Its output is not kept by the page. */
const LONG = 'a line of the file\n'.repeat(2_000);

/** Other tests take their share of the machine. */

const stage = shareStage(async (browser) => {
  const turns = Array.from({ length: TURNS }, (_, turn) => [
    { text: `Turn ${turn + 1}.\n` },
    ...Array.from({ length: CALLS - 1 }, (_none, call) => ({
      tool: 'fs.read',
      arguments: turn + call === 0 ? { path: 'long.txt' } : { path: `missing-${turn}-${call}.txt` },
    })),
  ]);
  return await openStage([...turns, [{ text: 'The very end.\n' }]], {
    browser,
    settings: '[runs]\nmax_tool_calls = 5000\n',
  });
});
beforeAll(async () => {
  writeFileSync(join(stage().workspace, 'long.txt'), LONG);
});

describe('a run of five thousand events', () => {
  it(
    'is scrolled from its end to its beginning without a long task, and in few elements',
    verifies('console:long-run-scrolls', 'console:run-told-whole'),
    async () => {
      const { client } = stage();
      const counted = { events: 0, runId: '' };
      for await (const { runId, sequence } of client.runs.startRun({ prompt: 'read on' })) {
        counted.runId = runId;
        if (sequence !== 0n) counted.events += 1;
      }
      expect(counted.events).toBeGreaterThan(5_000);
      await using visit = await stage().open(`/runs/${counted.runId}`);
      const { page } = visit;
      await page.getByText('Turn 1.', { exact: true }).waitFor();
      const log = page.getByRole('log');
      await expectPage.poll(() => heightOf(page)).toBeGreaterThan(60_000);
      expect(await longestTaskMs(stage().browser, page)).toBeLessThan(50);
      expect(await log.locator('*').count()).toBeLessThan(2_000);

      await scrollTo(page, await heightOf(page));
      await expectPage(page.getByText('The very end.')).toBeVisible();
      await scrollTo(page, 0);
      const first = page.getByRole('region', { name: 'Tool call fs.read' }).first();
      await first.getByRole('button').first().click();
      await first.getByRole('button', { name: /^Show all/ }).click();
      const whole = page.getByRole('dialog').getByRole('group', { name: 'Output' });
      await expectPage(whole).toContainText('a line of the file');
      const lines = async () => (await whole.textContent())?.match(/a line of the file/g)?.length;
      await expectPage.poll(lines).toBeGreaterThan(1_900);
      expect(visit.complaints).toEqual([]);
    },
  );
});

describe('the list of runs', () => {
  it('is filtered and walked by keyboard', verifies('console:keyboard'), async () => {
    const { client } = stage();
    await using visit = await stage().open('/runs');
    const { page } = visit;
    const { runs } = await client.runs.listRuns({});
    const completed = runs.filter(({ status }) => status === RunStatus.COMPLETED).length;
    await page.getByRole('button', { name: /^failed/ }).click();
    await expectPage(page.getByText('No runs here')).toBeVisible();
    await page.getByRole('button', { name: /^completed/ }).click();
    const links = page.getByRole('region', { name: 'Runs' }).getByRole('link');
    await expectPage(links).toHaveCount(completed);
    await page.getByRole('region', { name: 'Runs' }).focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expectPage(
      page.getByRole('heading', { level: 1, name: 'Run', exact: true }),
    ).toBeVisible();
    await page.getByRole('log').getByRole('link', { name: 'Journal' }).click();
    await page.waitForURL(/\/journal\?run=/);
    expect(visit.complaints).toEqual([]);
  });
});
