import type { Page } from '@playwright/test';
import { verifies } from '@palyra/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from './accessibility.ts';
import { expectPage, openStage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

/** A page so busy that what it puts off with no delay happens only when it is told to. */
const BUSY = `{
  const late = [];
  const later = globalThis.setTimeout;
  globalThis.setTimeout = (call, ms, ...given) =>
    globalThis.isBusy && !ms ? late.push(() => call(...given)) : later(call, ms, ...given);
  globalThis.becomeFree = () => {
    globalThis.isBusy = false;
    for (const call of late.splice(0)) call();
  };
}`;

const stage = shareStage((browser) => openStage([[{ text: 'hello\n' }]], { browser }));
beforeAll(async () => {
  for await (const _event of stage().client.runs.startRun({ prompt: 'say hello' }));
});

async function tabTo(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).focus();
  await page.keyboard.press('Enter');
}

describe('the keyboard', () => {
  it(
    'stays with the palette when the dialog before it is slow to go',
    verifies('console:keyboard'),
    async () => {
      await using visit = await stage().open();
      const page = await visit.context.newPage();
      await page.addInitScript({ content: BUSY });
      await page.goto(`${stage().origin}/`);
      const end = page.getByRole('button', { name: 'End this session' });
      await tabTo(page, 'End this session');
      await expectPage(page.getByRole('dialog')).toContainText('End this session?');
      await page.evaluate('globalThis.isBusy = true');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await expectPage(page.getByRole('combobox')).toBeFocused();
      await page.evaluate('globalThis.becomeFree()');
      await page.keyboard.type('sand');
      await expectPage(page.getByRole('combobox')).toHaveValue('sand');
      await page.keyboard.press('Escape');
      await expectPage(end).toBeFocused();
      expect(visit.complaints).toEqual([]);
    },
  );

  it(
    'is given to a dialog that a menu opens, and back to the button of the menu',
    verifies('console:keyboard'),
    async () => {
      await using visit = await stage().open('/chat');
      const { page } = visit;
      await tabTo(page, 'More about say hello');
      await page.keyboard.press('Enter');
      await expectPage(page.getByRole('dialog')).toContainText('Rename the session');
      await page.keyboard.type(', twice');
      await expectPage(page.getByLabel('Title')).toHaveValue('say hello, twice');
      await page.keyboard.press('Enter');
      await expectPage(page.getByRole('dialog')).toHaveCount(0);
      await expectPage(
        page.getByRole('button', { name: 'More about say hello, twice' }),
      ).toBeFocused();
      expect(visit.complaints).toEqual([]);
    },
  );

  it(
    'finds an open menu in the part of the page that it belongs to',
    verifies('console:accessible'),
    async () => {
      await using visit = await stage().open('/chat');
      const { page } = visit;
      await page.getByRole('button', { name: /^More about say hello/ }).click();
      await expectPage(page.getByRole('main').getByRole('menu')).toBeVisible();
      expect(await faultsOf(page)).toEqual([]);
      expect(visit.complaints).toEqual([]);
    },
  );
});
