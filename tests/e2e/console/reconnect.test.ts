import { ApprovalStatus } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { expectPage, openStage, sayYes, yes } from './harness.ts';
import { shareStage } from './shared-stage.ts';

/** A thousand entries of the journal. */
const TURNS = 8;
const CALLS = 25;
const SCRIPT = [
  [
    { text: 'Said once.\n' },
    { tool: 'process.run', arguments: { command: 'echo', args: ['ran once'] } },
  ],
  ...Array.from({ length: TURNS }, (_, turn) =>
    Array.from({ length: CALLS }, (_none, call) => ({
      tool: 'fs.read',
      arguments: { path: `missing-${turn}-${call}.txt` },
    })),
  ),
  [{ text: 'The very end.\n' }],
];

const stage = shareStage((browser) =>
  openStage(SCRIPT, { browser, settings: '[runs]\nmax_tool_calls = 5000\n' }),
);

describe('a tab that stands still', () => {
  it(
    'holds up nobody, and shows what it has missed when it goes on',
    verifies('console:slow-tab'),
    async () => {
      await using visit = await stage().open('/journal');
      const { page } = visit;
      await expectPage(page.getByText('Live', { exact: true })).toBeVisible();
      const tab = await visit.context.newCDPSession(page);
      await tab.send('Debugger.enable');
      const paused = new Promise<void>((resolve) => tab.once('Debugger.paused', () => resolve()));
      await tab.send('Debugger.pause');
      // It stands still at whatever it does next, which on a quiet page may be nothing for a while.
      const held = page.evaluate(() => document.title);
      await paused;
      const { client } = stage();
      for await (const { event } of client.runs.startRun({ prompt: 'read them all' })) {
        if (event.case !== 'approvalChanged') continue;
        if (event.value.status !== ApprovalStatus.PENDING) continue;
        const { approvalId, fingerprint } = event.value;
        const answer = ApprovalStatus.GRANTED;
        await client.approvals.answerApproval({ approvalId, fingerprint, answer });
      }
      const { journalSequence } = await client.health.getHealth({});
      await tab.send('Debugger.resume');
      await tab.send('Debugger.disable');
      await held;
      const newest = journalSequence.toLocaleString('en');
      await expectPage(page.getByRole('main').getByText(newest, { exact: true })).toBeVisible();
    },
  );
});

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

  it(
    'goes on at the last event of a run when the gateway was killed, without a reload',
    verifies('console:reconnects', 'console:reload-loses-nothing'),
    async () => {
      await using visit = await stage().open('/chat');
      const { page } = visit;
      await page.getByRole('textbox', { name: 'What to do' }).fill('begin');
      await page.keyboard.press('Enter');
      await expectPage(yes(page)).toBeVisible();
      await stage().restart('SIGKILL');
      await expectPage(page.getByText('the daemon ended before the run did')).toBeVisible();
      await page.getByRole('button', { name: 'Resume', exact: true }).click();
      await expectPage(page.getByText(/^The run goes on where it stopped/)).toBeVisible();
      await expectPage(page.getByText('Said once.')).toHaveCount(1);
      await expectPage(page.getByRole('region', { name: 'Tool call process.run' })).toHaveCount(1);
      await sayYes(page);
      await expectPage(page.getByText('The very end.')).toBeVisible();
      expect(visit.strangers).toEqual([]);
    },
  );
});
