import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { expectPage, openStage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const stage = shareStage(async (browser) => {
  const read = { tool: 'fs.read', arguments: { path: 'missing.txt' } };
  return await openStage([[{ text: 'I will look.\n' }, read, read], [{ text: 'done\n' }]], {
    browser,
  });
});

describe('a chart of Home', () => {
  it(
    'says what would be there, and counts calls as they are made, without anything moving under a pointer',
    verifies('console:live'),
    async () => {
      await using visit = await stage().open();
      const { page } = visit;
      const card = page.locator('section').filter({ hasText: 'Tool calls' });
      const chartOf = (allowed: number) =>
        card.getByRole('figure', { name: `Tool calls: ${allowed} allowed, 0 asked, 0 denied` });
      await expectPage(card).toContainText('No tool calls');
      for await (const _event of stage().client.runs.startRun({ prompt: 'look' }));
      const chart = chartOf(2);
      await expectPage(chart).toContainText('2 allowed');
      const before = await card.boundingBox();
      // The first hour of the day: nothing was counted in it.
      await chart.locator('canvas').hover({ position: { x: 70, y: 60 }, force: true });
      await expectPage(chart).toContainText('0 allowed');
      expect(await card.boundingBox()).toEqual(before);
      for await (const _event of stage().client.runs.startRun({ prompt: 'look again' }));
      await expectPage(chartOf(4)).toContainText('0 allowed');
      expect(visit.complaints).toEqual([]);
    },
  );
});
