import { verifies } from '@palyra/testkit';
import { expect, it } from 'vitest';
import { expectPage, openStage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const stage = shareStage((browser) => openStage([[{ text: 'hello\n' }]], { browser }));

it(
  'a tab of a page is in its address: reload, back and links keep it',
  verifies('console:in-the-address'),
  async () => {
    await using visit = await stage().open('/access');
    const { page } = visit;
    const tab = (name: string) => page.getByRole('tab', { name, selected: true });
    await page.getByRole('tab', { name: 'Tokens' }).click();
    await expectPage(page).toHaveURL(/\/access#tokens$/);
    await page.reload();
    await expectPage(tab('Tokens')).toBeVisible();
    await page.getByRole('tab', { name: 'Members' }).click();
    await expectPage(tab('Members')).toBeVisible();
    await page.goBack();
    await expectPage(tab('Tokens')).toBeVisible();
    await page.goto(`${stage().origin}/access#nothing-of-that-name`);
    await expectPage(tab('You')).toBeVisible();
  },
);

it(
  'what was written in the editor outlives its tabs, and is asked about when the page is left',
  verifies('console:drafts'),
  async () => {
    await using visit = await stage().open('/policy#edit');
    const { page } = visit;
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    const area = page.getByRole('textbox', { name: 'operator.cedar' });
    await area.fill('// mine');
    await page.getByRole('tab', { name: 'Rules in force' }).click();
    await expectPage(page).toHaveURL(/\/policy$/);
    expect(asked).toEqual([]);
    await page.getByRole('link', { name: 'Home' }).click();
    await expectPage.poll(() => asked).toEqual(['Leave, and lose what you wrote?']);
    await page.getByRole('tab', { name: 'Edit and try' }).click();
    await expectPage(area).toHaveValue('// mine');
    expect(visit.complaints).toEqual([]);
  },
);
