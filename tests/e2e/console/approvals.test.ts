import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ApprovalStatus } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Palyra, palyra } from '../harness.ts';
import { answer, openApprovalsStage, shown, startAsking, statusOf } from './approvals-stage.ts';
import { type Visit, expectPage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

interface Held {
  /** Stands open from the first to the last test, at a question that nobody answers. */
  unanswered?: Visit;
}

const held: Held = {};

const stage = shareStage(openApprovalsStage);
beforeAll(async () => {
  const run = startAsking(stage());
  await answer(stage(), await run.question(), ApprovalStatus.GRANTED);
  await answer(stage(), await run.question(), ApprovalStatus.GRANTED);
  held.unanswered = await stage().open(`/approvals/${await run.question()}`);
});

/** The question of that place that a run of the command line asks. */
async function nextOf(run: Palyra, place: number): Promise<string> {
  const asked = new RegExp(String.raw`(?:UTC:\s+[0-9A-Z]{26}[^]*){${place}}`);
  await run.says(asked);
  return run.stdout.matchAll(/UTC:\s+([0-9A-Z]{26})/g).toArray()[place - 1]?.[1] ?? '';
}

describe('a question of the command line', () => {
  it(
    'is answered in the console, which shows what the command line answers in turn',
    verifies('console:approvals-both-sides'),
    async () => {
      const run = new Palyra(stage().home.path, ['run', 'go']);
      onTestFinished(() => void run.child.kill('SIGKILL'));
      const approvalId = await nextOf(run, 1);
      await using visit = await stage().open('/approvals');
      const { page } = visit;
      await page.locator(`[data-approval="${approvalId}"]`).click();
      await expectPage(page.getByLabel('command', { exact: true })).toContainText('touch ran');
      await expectPage(page.getByText('running-programs-asks')).toBeVisible();
      await expectPage(page.getByText('tier C, sandbox tier c')).toBeVisible();
      await page.getByRole('button', { name: 'Yes, once' }).click();
      await expectPage(page.getByText('granted', { exact: true }).first()).toBeVisible();
      const second = await nextOf(run, 2);
      await access(join(stage().workspace, 'ran'));

      await page.locator(`[data-approval="${second}"]`).click();
      const why = 'not from here';
      await palyra(stage().home.path, 'approvals', 'deny', second, '--reason', why);
      await expectPage(page.getByText(`“${why}”`)).toBeVisible();
      await expectPage(page.getByRole('button', { name: 'Yes, once' })).toBeHidden();
      expect(visit.complaints).toEqual([]);
      expect(visit.strangers).toEqual([]);
    },
  );

  it(
    'shows what hides in its arguments, and what looks like something else',
    verifies('console:shown-to-the-letter'),
    async () => {
      const approvalId = await startAsking(stage()).question();
      await using visit = await stage().open(`/approvals/${approvalId}`);
      const { page } = visit;
      const given = page.getByLabel('argument args', { exact: true });
      await expectPage(given).toContainText('["ran","p\u0430[U+0430]y\\u{200b}"]');
      await expectPage(page.getByText('U+0430 looks like a').first()).toBeVisible();
      await expectPage(page.getByText('A character hides in it').first()).toBeVisible();
      await answer(stage(), approvalId, ApprovalStatus.DENIED);
    },
  );

  it(
    'leaves every tab when it is answered in one',
    verifies('console:approvals-both-sides'),
    async () => {
      const approvalId = await startAsking(stage()).question();
      await using visit = await stage().open(`/approvals/${approvalId}`);
      const other = await visit.context.newPage();
      await other.goto(`${stage().origin}/approvals`);
      const row = other.locator(`[data-approval="${approvalId}"]`);
      await expectPage(row).toContainText('for ');
      await expectPage(other).toHaveTitle(/^\(\d\) Approvals/);
      await visit.page.getByRole('button', { name: 'No…' }).click();
      await visit.page.getByRole('button', { name: 'Deny' }).click();
      // What waits and what was answered are asked for apart: for a moment it may stand in both.
      await expectPage(row.filter({ hasText: 'denied' })).toBeVisible();
      await expectPage(row).toHaveCount(1);
      await expectPage(visit.page.getByRole('button', { name: 'No…' })).toBeHidden();
    },
  );

  it(
    'is answered by keyboard alone, and by no key that was meant for something else',
    verifies('console:keyboard', 'console:keys-answer-what-is-read'),
    async () => {
      const approvalId = await startAsking(stage()).question();
      await using visit = await stage().open();
      const { page } = visit;
      await page.keyboard.press('g');
      await page.keyboard.press('a');
      const row = page.locator(`[data-approval="${approvalId}"]`);
      await row.waitFor();
      while (!(await row.evaluate((element) => element === document.activeElement))) {
        await page.keyboard.press('j');
      }
      // Nothing is open yet, so there is nothing to say yes to.
      await page.keyboard.press('y');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 2, name: 'process.run' }).waitFor();
      await page.keyboard.press('?');
      await expectPage(page.getByRole('dialog', { name: 'Keys' })).toContainText('yes, once');
      await page.keyboard.press('y');
      await page.keyboard.press('Escape');
      await shown(page);
      await page.keyboard.press('g');
      await page.keyboard.press('s');
      await expectPage(page.getByRole('heading', { level: 1, name: 'Sandbox' })).toBeVisible();
      expect(await statusOf(stage(), approvalId)).toBe(ApprovalStatus.PENDING);
      await page.goBack();
      await shown(page);
      await page.keyboard.press('n');
      await expectPage(page.getByLabel('Why not?')).toBeFocused();
      await page.keyboard.type('yes, not today');
      await page.keyboard.press('Enter');
      await expectPage(page.getByText('“yes, not today”')).toBeVisible();
      const { approval } = await stage().client.approvals.getApproval({ approvalId });
      expect(approval).toMatchObject({ status: ApprovalStatus.DENIED, reason: 'yes, not today' });
    },
  );
});

describe('a question that nobody answers', () => {
  it('is followed by the next one that waits', verifies('console:keyboard'), async () => {
    const approvalId = await startAsking(stage()).question();
    await startAsking(stage()).question();
    await using visit = await stage().open(`/approvals/${approvalId}`);
    const { page } = visit;
    await shown(page);
    await page.keyboard.press('y');
    const answered = page.locator(`[data-approval="${approvalId}"]`);
    await expectPage(answered.getByText('granted', { exact: true })).toBeVisible();
    await page.keyboard.press('j');
    const question = page.locator('header').filter({ has: page.locator('#question') });
    await expectPage(question.getByText('waits', { exact: true })).toBeVisible();
    expect(page.url()).not.toContain(approvalId);
  });

  it('says so when its time is over', verifies('console:approvals-both-sides'), async () => {
    const page = held.unanswered?.page;
    if (page === undefined) throw new TypeError('there is no page');
    await expectPage(page.getByText('nobody answered in time')).toBeVisible();
    await expectPage(page.getByRole('button', { name: 'Yes, once' })).toBeHidden();
    await page.getByLabel('Show which').selectOption('Expired');
    await expectPage(page.locator('[data-approval]').last()).toContainText('expired');
    await expectPage(page.locator('[data-approval]', { hasText: 'denied' })).toHaveCount(0);
  });
});
