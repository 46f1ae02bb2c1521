import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Page } from '@playwright/test';
import { ApprovalStatus, GetApprovalResponseSchema } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Palyra, palyra } from '../harness.ts';
import { type ConsoleStage, type Visit, openStage, expectPage } from './harness.ts';

/** Both hide something: a letter of another alphabet, and a space of no width. */
const ODD = 'p\u0430y\u200b';
const SCRIPT = [
  [{ tool: 'process.run', arguments: { command: 'touch', args: ['ran', ODD] } }],
  [{ tool: 'process.run', arguments: { command: 'touch', args: ['ran', 'again'] } }],
  [{ tool: 'fs.list', arguments: { path: '.' } }],
  [{ text: 'done\n' }],
];
/** The shortest time that a rule can give. */
const HURRY = `@id("listing-asks") @says("a folder is to be listed") @gate("approval") @severity("low") @wait("30s")
forbid (principal, action == Action::"tool.execute", resource == Tool::"fs.list")
unless { context has approval && context.approval.count >= 1 };
`;

interface Held {
  stage?: ConsoleStage;
  /** Stands open from the first to the last test, at a question that nobody answers. */
  unanswered?: Visit;
  readonly runs: Palyra[];
}

const held: Held = { runs: [] };
function stage(): ConsoleStage {
  if (held.stage === undefined) throw new TypeError('there is no stage');
  return held.stage;
}

beforeAll(async () => {
  held.stage = await openStage(SCRIPT);
  const rules = join(stage().home.places.configDir, 'policies');
  await mkdir(rules, { mode: 0o700 });
  await writeFile(join(rules, 'hurry.cedar'), HURRY, { mode: 0o600 });
  await stage().client.policy.reloadPolicy({});
  const { run, approvalId } = await ask();
  await say(approvalId, ApprovalStatus.GRANTED);
  await say(await nextOf(run, 2), ApprovalStatus.GRANTED);
  held.unanswered = await stage().open(`/approvals/${await nextOf(run, 3)}`);
});
afterAll(async () => {
  for (const { child } of held.runs) child.kill('SIGKILL');
  await held.stage?.[Symbol.asyncDispose]();
});

/** A run of the command line, up to where it asks. */
async function ask() {
  const run = new Palyra(stage().home.path, ['run', 'go']);
  held.runs.push(run);
  return { run, approvalId: await nextOf(run, 1) };
}

/** Its question of that place. */
async function nextOf(run: Palyra, place: number): Promise<string> {
  const asked = new RegExp(String.raw`(?:UTC:\s+[0-9A-Z]{26}[^]*){${place}}`);
  await run.says(asked);
  return run.stdout.matchAll(/UTC:\s+([0-9A-Z]{26})/g).toArray()[place - 1]?.[1] ?? '';
}

/** Somebody answers, not in this browser. */
async function say(approvalId: string, answer: ApprovalStatus): Promise<void> {
  const { approvals } = stage().client;
  const { approval } = await approvals.getApproval({ approvalId });
  await approvals.answerApproval({
    approvalId,
    answer,
    fingerprint: approval?.fingerprint ?? '',
  });
}

async function statusOf(approvalId: string) {
  const { approval } = await stage().client.approvals.getApproval({ approvalId });
  return approval?.status;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });

/** Keys count once somebody could have read the question. */
async function shown(page: Page): Promise<void> {
  await heading(page, 'process.run').waitFor();
  await page.waitForTimeout(350);
}

describe('a question of the command line', () => {
  it(
    'is answered in the console, which shows what the command line answers in turn',
    verifies('console:approvals-both-sides'),
    async () => {
      const { run, approvalId } = await ask();
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
      const { approvalId } = await ask();
      await using visit = await stage().open(`/approvals/${approvalId}`);
      const { page } = visit;
      const given = page.getByLabel('argument args', { exact: true });
      await expectPage(given).toContainText('["ran","p\u0430[U+0430]y\\u{200b}"]');
      await expectPage(page.getByText('U+0430 looks like a').first()).toBeVisible();
      await expectPage(page.getByText('A character hides in it').first()).toBeVisible();
      await say(approvalId, ApprovalStatus.DENIED);
    },
  );

  it(
    'leaves every tab when it is answered in one',
    verifies('console:approvals-both-sides'),
    async () => {
      const { approvalId } = await ask();
      await using visit = await stage().open(`/approvals/${approvalId}`);
      const other = await visit.context.newPage();
      await other.goto(`${stage().origin}/approvals`);
      const row = other.locator(`[data-approval="${approvalId}"]`);
      await expectPage(row).toContainText('for ');
      await expectPage(other).toHaveTitle(/^\(\d\) Approvals/);
      await visit.page.getByRole('button', { name: 'No…' }).click();
      await visit.page.getByRole('button', { name: 'Deny' }).click();
      await expectPage(row).toContainText('denied');
      await expectPage(visit.page.getByRole('button', { name: 'No…' })).toBeHidden();
    },
  );

  it(
    'is answered by keyboard alone, and by no key that was meant for something else',
    verifies('console:keyboard', 'console:keys-answer-what-is-read'),
    async () => {
      const { approvalId } = await ask();
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
      await heading(page, 'process.run').waitFor();
      await page.keyboard.press('?');
      await expectPage(page.getByRole('dialog', { name: 'Keys' })).toContainText('yes, once');
      await page.keyboard.press('y');
      await page.keyboard.press('Escape');
      await shown(page);
      await page.keyboard.press('g');
      await page.keyboard.press('s');
      await expectPage(page.getByRole('heading', { level: 1, name: 'Sandbox' })).toBeVisible();
      expect(await statusOf(approvalId)).toBe(ApprovalStatus.PENDING);
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

/** A click in the very task in which something happened: nobody can be faster. */
const CLICK = `[...document.querySelectorAll('button')]
  .filter(({ textContent }) => textContent.startsWith('Yes, once'))
  .forEach((button) => button.click())`;
const CLICK_WHEN_IT_COMES = `new MutationObserver(() => { ${CLICK} })
  .observe(document.body, { childList: true, subtree: true })`;
const MOVE = `document.querySelector('[aria-label="Your answer"]').style.transform = 'translateY(-9px)'`;
const COME_BACK = `document.dispatchEvent(new Event('visibilitychange'))`;

describe('a click', () => {
  it(
    'is no yes before anybody could have read the question, where it stands now',
    verifies('console:keys-answer-what-is-read'),
    async () => {
      const { approvalId } = await ask();
      await using visit = await stage().open('/approvals');
      const { page } = visit;
      const yes = page.getByRole('button', { name: 'Yes, once' });
      await page.evaluate(`(() => { ${CLICK_WHEN_IT_COMES} })()`);
      await page.locator(`[data-approval="${approvalId}"]`).click();
      await expectPage(page.getByText('too soon to count')).toBeVisible();
      await page.goto(`${stage().origin}/approvals/${approvalId}`);
      for (const disturbance of [MOVE, COME_BACK]) {
        await expectPage(yes).toBeEnabled();
        await page.evaluate(`(() => { ${disturbance}; ${CLICK} })()`);
        await expectPage(page.getByText('too soon to count')).toBeVisible();
      }
      expect(await statusOf(approvalId)).toBe(ApprovalStatus.PENDING);
      await yes.click();
      await expectPage(page.getByText('granted', { exact: true }).first()).toBeVisible();
      expect(visit.complaints).toEqual([]);
    },
  );
});

describe('a yes for more than one call', () => {
  it(
    'says what it lets happen, spares such calls the question, and ends when it is revoked',
    verifies('console:grants-in-words'),
    async () => {
      const { run, approvalId } = await ask();
      await using visit = await stage().open(`/approvals/${approvalId}`);
      const { page } = visit;
      await shown(page);
      await page.keyboard.press('u');
      await expectPage(page.getByRole('radio', { name: 'Until…' })).toBeFocused();
      await expectPage(page.getByRole('radio', { name: 'Exactly this call' })).toBeChecked();
      await page.keyboard.press('ArrowUp');
      await page.getByRole('radio', { name: 'touch ran with' }).check();
      await expectPage(page.getByRole('radio', { name: 'touch ran with' })).toHaveAccessibleName(
        /In the last 7 days: \d+ other calls? \(/,
      );
      await expectPage(
        page.getByText(/^Runs without asking from now on, in this session.*touch ran/),
      ).toBeVisible();
      await page.getByRole('button', { name: 'Yes, for this session' }).click();
      // The second command is like the first, so the next question is about the list.
      await say(await nextOf(run, 2), ApprovalStatus.GRANTED);
      expect(await run.end()).toMatchObject({ code: 0 });

      await page.getByRole('tab', { name: 'Grants' }).click();
      await expectPage(page.getByRole('heading', { level: 2, name: /touch ran/ })).toBeVisible();
      await expectPage(page.getByText('99 calls left, 1 used')).toBeVisible();
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await expectPage(page.getByText('No grant holds')).toBeVisible();
      expect((await stage().client.approvals.listGrants({})).grants).toEqual([]);
    },
  );
});

describe('an answer in the console', () => {
  it(
    'does not count for another call than the one that was shown, and the new one has to be read',
    verifies('console:answers-what-was-shown'),
    async () => {
      const { approvalId } = await ask();
      await using visit = await stage().open('/');
      const { page } = visit;
      await page.route('**/palyra.v1.ApprovalService/GetApproval', changedOnce());
      await page.goto(`${stage().origin}/approvals/${approvalId}`);
      await shown(page);
      await page.keyboard.press('y');
      await expectPage(page.getByText('This question has changed')).toBeVisible();
      expect(await statusOf(approvalId)).toBe(ApprovalStatus.PENDING);
      await expectPage(page.getByRole('button', { name: 'Yes, once' })).toBeDisabled();
      await page.keyboard.press('y');
      await page.getByRole('button', { name: 'I have read it' }).click();
      await page.getByRole('button', { name: 'Yes, once' }).click();
      await expectPage(page.getByText('granted', { exact: true }).first()).toBeVisible();
    },
  );

  it(
    'is asked for by the browser only when that was wished for',
    verifies('console:notices'),
    async () => {
      const { context, page } = await stage().open('/approvals');
      await context.grantPermissions(['notifications'], { origin: stage().origin });
      await context.addInitScript(() => {
        const told: object[] = [];
        const asked: string[] = [];
        Reflect.set(window, 'told', told);
        Reflect.set(window, 'asked', asked);
        const Real = Notification;
        Real.requestPermission = async () => {
          asked.push('asked');
          return 'granted';
        };
        class Recorded extends Real {
          constructor(title: string, options?: NotificationOptions) {
            super(title, options);
            told.push({
              title,
              body: options?.body,
              click: () => this.dispatchEvent(new Event('click')),
            });
          }
        }
        Reflect.set(window, 'Notification', Recorded);
      });
      await page.reload();
      const asked = async () => await page.evaluate(() => Reflect.get(window, 'asked'));
      const told = async () => await page.evaluate(() => Reflect.get(window, 'told'));
      await expectPage(page.getByRole('button', { name: 'Notify me' })).toBeVisible();
      expect(await asked()).toEqual([]);
      await page.getByRole('button', { name: 'Notify me' }).click();
      await expectPage(page.getByRole('button', { name: 'Stop notifying' })).toBeVisible();
      expect(await asked()).toEqual(['asked']);
      const seen = await ask();
      await page.locator(`[data-approval="${seen.approvalId}"]`).waitFor();
      expect(await told()).toEqual([]);
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
        document.dispatchEvent(new Event('visibilitychange'));
      });
      const { approvalId } = await ask();
      await expectPage
        .poll(told)
        .toMatchObject([{ title: 'Palyra asks', body: 'process.run waits for an answer' }]);
      await page.evaluate(() => Reflect.get(window, 'told')[0].click());
      await page.waitForURL(`**/approvals/${approvalId}`);
      await say(seen.approvalId, ApprovalStatus.DENIED);
      await say(approvalId, ApprovalStatus.DENIED);
      await context.close();
    },
  );
});

describe('the inbox', () => {
  it(
    'has nothing that stands in anybody’s way, light or dark, wide or narrow',
    verifies('console:accessible', 'console:responsive'),
    async () => {
      const { approvalId } = await ask();
      await using visit = await stage().open(`/approvals/${approvalId}`);
      const { page } = visit;
      await shown(page);
      await page.keyboard.press('u');
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      }
      await page.setViewportSize({ width: 360, height: 740 });
      const isWide = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      expect(isWide).toBe(false);
      await page.getByRole('button', { name: 'Back' }).click();
      await page.getByRole('link', { name: 'All approvals' }).click();
      await expectPage(page.getByRole('heading', { level: 2, name: 'Waiting' })).toBeVisible();
      await say(approvalId, ApprovalStatus.DENIED);
    },
  );

  it('shows that nobody answered in time', verifies('console:approvals-both-sides'), async () => {
    const page = held.unanswered?.page;
    if (page === undefined) throw new TypeError('there is no page');
    await expectPage(page.getByText('nobody answered in time')).toBeVisible({ timeout: 35_000 });
    await expectPage(page.getByRole('button', { name: 'Yes, once' })).toBeHidden();
    await page.getByLabel('Show which').selectOption('Expired');
    await expectPage(page.locator('[data-approval]').last()).toContainText('expired');
    await expectPage(page.locator('[data-approval]', { hasText: 'denied' })).toHaveCount(0);
  });
});

/** The first answer tells of a call that is none, as if it had been another one then. */
function changedOnce() {
  const state = { isChanged: false };
  return async (route: Parameters<Parameters<Page['route']>[1]>[0]) => {
    const response = await route.fetch();
    if (state.isChanged) {
      await route.fulfill({ response });
      return;
    }
    state.isChanged = true;
    const answer = fromBinary(GetApprovalResponseSchema, await response.body());
    if (answer.approval !== undefined) answer.approval.fingerprint = '0'.repeat(64);
    const body = Buffer.from(toBinary(GetApprovalResponseSchema, answer));
    await route.fulfill({ response, body });
  };
}
