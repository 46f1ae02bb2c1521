import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { openStage, expectPage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const stage = shareStage(() => openStage([[{ text: 'hello\n' }]]));

describe('a page whose gateway goes away', () => {
  it(
    'tells a second tab how things stand, and goes on in it when the first is closed',
    verifies('console:reconnects'),
    async () => {
      await using visit = await stage().open('/journal');
      const second = await visit.context.newPage();
      await second.goto(`${stage().origin}/devices`);
      await expectPage(second.getByText('Live', { exact: true })).toBeVisible();
      await visit.page.close();
      await stage().client.devices.renameDevice({ device: 'test', name: 'renamed elsewhere' });
      await expectPage(second.getByText('renamed elsewhere')).toBeVisible();
    },
  );

  it(
    'says so, stays, and is itself again when the gateway is back',
    verifies('console:reconnects'),
    async () => {
      await using visit = await stage().open('/settings');
      const { page } = visit;
      await expectPage(page.getByText('Live', { exact: true })).toBeVisible();
      await page.getByLabel('Find a setting').fill('transport.listen');
      await stage().daemon().stop();
      await expectPage(page.getByText('Reconnecting')).toBeVisible();
      // A page that was never loaded cannot be shown now; the one that is there must not be lost.
      await page.getByRole('link', { name: 'Doctor' }).hover();
      await page.getByRole('link', { name: 'Doctor' }).click();
      await expectPage(page.getByRole('alert').first()).toContainText(
        /could not be loaded|no gateway/,
      );
      await stage().restart();
      await expectPage(page.getByText('Live', { exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Try again' }).click();
      await expectPage(page.getByRole('heading', { level: 1, name: 'Doctor' })).toBeVisible();
      expect(visit.strangers).toEqual([]);
    },
  );
});
