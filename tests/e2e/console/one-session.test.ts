import { randomUUID } from 'node:crypto';
import { Role } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { openAs } from './another-member.ts';
import { expectPage, openStage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const stage = shareStage((browser) => openStage([[{ text: 'hello\n' }]], { browser }));

const SIGN_IN = 'Open the console from a device';
/** Once in some hundred runs the page that is loaded anew has crashed in Chromium. */
const CRASH_RETRIES = 1;
/** Nobody of that name is there yet, also when the story is told again. */
const newcomer = (name: string) => `${name}-${randomUUID().slice(0, 8)}`;
const WATCH = '**/palyra.v1.JournalService/WatchEntries';

/**
 * A page of a session that is over shows the way in, and is then loaded anew, so that it holds nothing of
 * the one before. Every story waits for that: a browser that is closed in the middle of it may hang.
 */
describe('a session that is over', { retry: CRASH_RETRIES }, () => {
  it(
    'shows the way in in every tab at once, whoever ended it in this browser',
    verifies('console:over-is-over'),
    async () => {
      await using visit = await stage().open('/');
      const { page, context } = visit;
      const other = await context.newPage();
      await other.goto(`${stage().origin}/policy#edit`);
      // What was written here must not keep the page of somebody who has left.
      await other.getByRole('textbox', { name: 'operator.cedar' }).fill('// mine');
      const emptied = [page, other].map((tab) => tab.waitForEvent('load'));
      await page.getByRole('button', { name: 'End this session' }).click();
      await page.getByRole('button', { name: 'End it' }).click();
      await Promise.all(emptied);
      for (const tab of [page, other]) {
        await expectPage(tab.getByRole('heading', { name: SIGN_IN })).toBeVisible();
        await expectPage(tab.getByRole('navigation')).toHaveCount(0);
      }
    },
  );

  it(
    'shows the way in when it was taken back from outside, without a click',
    verifies('console:over-is-over'),
    async () => {
      const name = newcomer('eve');
      const role = Role.OPERATOR;
      await using visit = await openAs(stage(), { name, role, path: '/journal' });
      const { page, context } = visit;
      const other = await context.newPage();
      await other.goto(`${stage().origin}/settings`);
      await expectPage(other.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
      const emptied = [page, other].map((tab) => tab.waitForEvent('load'));
      await stage().client.devices.revokeDevice({ device: `${name}'s laptop` });
      await Promise.all(emptied);
      for (const tab of [page, other]) {
        await expectPage(tab.getByRole('heading', { name: SIGN_IN })).toBeVisible();
        await expectPage(tab.getByText('The session has ended.')).toBeVisible();
      }
    },
  );

  it(
    'shows the way in when it was taken back while the page could hear nothing',
    verifies('console:over-is-over'),
    async () => {
      const name = newcomer('mallory');
      const role = Role.OPERATOR;
      await using visit = await openAs(stage(), { name, role, path: '/settings' });
      const { page } = visit;
      await page.route(WATCH, (route) => route.abort());
      await page.reload();
      await expectPage(page.getByText('Reconnecting')).toBeVisible();
      await stage().client.devices.revokeDevice({ device: `${name}'s laptop` });
      const emptied = page.waitForEvent('load');
      await page.unroute(WATCH);
      await emptied;
      await expectPage(page.getByRole('heading', { name: SIGN_IN })).toBeVisible();
    },
  );
});

describe('a dialog', () => {
  it(
    'keeps the keys to itself, and gives the focus back to where it was',
    verifies('console:keyboard'),
    async () => {
      await using visit = await stage().open('/settings');
      const { page } = visit;
      const field = page.getByRole('searchbox');
      await field.focus();
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog');
      await expectPage(palette.getByRole('combobox')).toBeFocused();
      await page.keyboard.press('Escape');
      await expectPage(palette).toHaveCount(0);
      await expectPage(field).toBeFocused();

      await page.getByRole('button', { name: 'End this session' }).click();
      await expectPage(palette).toBeVisible();
      await page.keyboard.press('g');
      await page.keyboard.press('j');
      await page.keyboard.press('Control+k');
      await expectPage(page.getByRole('dialog')).toHaveCount(1);
      await page.keyboard.press('Escape');
      await expectPage(page.getByRole('button', { name: 'End this session' })).toBeFocused();
      await expectPage(page).toHaveURL(/\/settings$/);
      expect(visit.complaints).toEqual([]);
    },
  );
});
