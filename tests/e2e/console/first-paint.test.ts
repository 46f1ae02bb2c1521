import type { Request } from '@playwright/test';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { expectPage, openStage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const SECOND = /\/assets\/second-[\w-]+\.js$/;

const stage = shareStage((browser) => openStage([[{ text: 'hello\n' }]], { browser }));

describe('Home', () => {
  it(
    'is drawn for its caller, with the state of the gateway, before the protocol is there, and filled when it is',
    verifies('console:small'),
    async () => {
      await using visit = await stage().open();
      const { context } = visit;
      const released = Promise.withResolvers<void>();
      await context.route(SECOND, async (route) => {
        await released.promise;
        await route.continue();
      });
      const page = await context.newPage();
      const asked: string[] = [];
      page.on('request', (request: Request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${stage().origin}/`, { waitUntil: 'commit' });
      await expectPage(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
      // What the caller may do is known by then.
      await expectPage(page.getByRole('link', { name: 'Settings' })).toBeVisible();
      await expectPage(page.getByRole('heading', { name: 'Waiting for you' })).toBeVisible();
      await expectPage(page.getByText('owner', { exact: true })).toBeVisible();
      await expectPage(page.getByText('ready', { exact: true })).toBeVisible();
      await expectPage(page.getByText(stage().workspace)).toBeVisible();
      // One question, and the one that needs no protocol to be read.
      expect(asked.filter((path) => path.startsWith('/palyra.v1.'))).toEqual([
        '/palyra.v1.HealthService/GetHealth',
      ]);
      expect(asked.filter((path) => path.endsWith('.js')).length).toBeLessThan(5);
      released.resolve();
      await expectPage(page.getByText('Nothing waits for you')).toBeVisible();
      await expectPage(page.getByRole('status').getByText('Live', { exact: true })).toBeVisible();
      expect(visit.complaints).toEqual([]);
    },
  );

  it(
    'is filled and live in a tab that nobody sees, where nothing is drawn',
    verifies('console:small'),
    async () => {
      await using visit = await stage().open();
      const page = await visit.context.newPage();
      await page.addInitScript({ content: 'globalThis.requestAnimationFrame = () => 0;' });
      await page.goto(`${stage().origin}/`);
      await expectPage(page.getByText('Nothing waits for you')).toBeVisible();
    },
  );

  it(
    'has its dialogs and notices there when they are wanted',
    verifies('console:keyboard'),
    async () => {
      await using visit = await stage().open();
      const { page } = visit;
      await page.getByRole('button', { name: 'End this session' }).click();
      await expectPage(page.getByRole('dialog')).toContainText('End this session?');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await expectPage(page.getByRole('combobox')).toBeFocused();
      expect(visit.complaints).toEqual([]);
    },
  );
});
