import { verifies } from '@palyra/testkit';
import { expect, it } from 'vitest';
import { palyra } from '../harness.ts';
import { expectPage, openStage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const stage = shareStage(async (browser) => await openStage([[{ text: 'done\n' }]], { browser }));

it(
  'the attacks on the tiers are tried again from the page, and the journal tells of it',
  verifies('console:sandbox'),
  async () => {
    await using visit = await stage().open('/sandbox');
    const { page } = visit;
    await page.getByRole('button', { name: 'Prove again' }).click();
    await expectPage(page.getByText('Every attack was tried again', { exact: true })).toBeVisible({
      timeout: 60_000,
    });
    // The gateway did it, not the page alone.
    const told = await palyra(stage().home.path, 'journal', 'tail', '--json');
    expect(told.stdout).toContain('sandboxes.proven');
    expect(visit.complaints).toEqual([]);
  },
);
