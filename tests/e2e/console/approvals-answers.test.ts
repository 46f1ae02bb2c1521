import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Page } from '@playwright/test';
import { ApprovalStatus, GetApprovalResponseSchema, RunStatus } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { faultsOf } from './accessibility.ts';
import { answer, openApprovalsStage, shown, startAsking, statusOf } from './approvals-stage.ts';
import { expectPage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const stage = shareStage(openApprovalsStage);

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
      const approvalId = await startAsking(stage()).question();
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
      expect(await statusOf(stage(), approvalId)).toBe(ApprovalStatus.PENDING);
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
      const run = startAsking(stage());
      const approvalId = await run.question();
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
      await answer(stage(), await run.question(), ApprovalStatus.GRANTED);
      expect(await run.ended()).toBe(RunStatus.COMPLETED);

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
      const approvalId = await startAsking(stage()).question();
      await using visit = await stage().open('/');
      const { page } = visit;
      await tellAnotherUntilAnswered(page);
      await page.goto(`${stage().origin}/approvals/${approvalId}`);
      await shown(page);
      await page.keyboard.press('y');
      await expectPage(page.getByText('This question has changed')).toBeVisible();
      expect(await statusOf(stage(), approvalId)).toBe(ApprovalStatus.PENDING);
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
      const seen = await startAsking(stage()).question();
      await page.locator(`[data-approval="${seen}"]`).waitFor();
      expect(await told()).toEqual([]);
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
        document.dispatchEvent(new Event('visibilitychange'));
      });
      const approvalId = await startAsking(stage()).question();
      await expectPage
        .poll(told)
        .toMatchObject([{ title: 'Palyra asks', body: 'process.run waits for an answer' }]);
      await page.evaluate(() => Reflect.get(window, 'told')[0].click());
      await page.waitForURL(`**/approvals/${approvalId}`);
      await answer(stage(), seen, ApprovalStatus.DENIED);
      await answer(stage(), approvalId, ApprovalStatus.DENIED);
      await context.close();
    },
  );
});

describe('the inbox', () => {
  it(
    'has nothing that stands in anybody’s way, light or dark, wide or narrow',
    verifies('console:accessible', 'console:responsive'),
    async () => {
      const approvalId = await startAsking(stage()).question();
      await using visit = await stage().open(`/approvals/${approvalId}`);
      const { page } = visit;
      await shown(page);
      await page.keyboard.press('u');
      expect(await faultsOf(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      const isWide = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      expect(isWide).toBe(false);
      await page.getByRole('button', { name: 'Back' }).click();
      await page.getByRole('link', { name: 'All approvals' }).click();
      await expectPage(page.getByRole('heading', { level: 2, name: 'Waiting' })).toBeVisible();
      await answer(stage(), approvalId, ApprovalStatus.DENIED);
    },
  );
});

/** Until somebody answers it the page is told of a call that is none, as if it had been another one then. */
async function tellAnotherUntilAnswered(page: Page): Promise<void> {
  const held = { isAnswered: false };
  page.on('request', (request) => {
    held.isAnswered ||= request.url().endsWith('/palyra.v1.ApprovalService/AnswerApproval');
  });
  await page.route('**/palyra.v1.ApprovalService/GetApproval', async (route) => {
    if (held.isAnswered) return await route.continue();
    const response = await route.fetch();
    const told = fromBinary(GetApprovalResponseSchema, await response.body());
    if (told.approval !== undefined) told.approval.fingerprint = '0'.repeat(64);
    const body = Buffer.from(toBinary(GetApprovalResponseSchema, told));
    await route.fulfill({ response, body });
  });
}
