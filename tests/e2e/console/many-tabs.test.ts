import type { Page } from '@playwright/test';
import { ApprovalStatus } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { expect, it } from 'vitest';
import { expectPage, openStage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const ASKED = { command: 'sh', args: ['-c', 'echo asked'] };

const stage = shareStage((browser) =>
  openStage(
    [
      [{ text: 'I have a question.\n' }, { tool: 'process.run', arguments: ASKED }],
      [{ text: 'That was the answer.\n' }],
    ],
    { browser },
  ),
);

interface Waiting {
  readonly runId: string;
  readonly approvalId: string;
  readonly fingerprint: string;
}

/** A run that goes on until somebody answers. */
async function waitingRun(): Promise<Waiting> {
  for await (const { runId, event } of stage().client.runs.startRun({ prompt: 'ask me' })) {
    if (event.case !== 'approvalChanged') continue;
    const { approvalId, fingerprint } = event.value;
    return { runId, approvalId, fingerprint };
  }
  throw new TypeError('nothing was asked');
}

async function answer({ approvalId, fingerprint }: Waiting): Promise<void> {
  const { approvals } = stage().client;
  await approvals.answerApproval({ approvalId, fingerprint, answer: ApprovalStatus.GRANTED });
}

it(
  'more tabs than a browser has connections each follow a run of their own, also when the first one closes',
  verifies('console:many-tabs'),
  async () => {
    await using visit = await stage().open('/');
    const { context, page } = visit;
    const runs = await Promise.all(Array.from({ length: 7 }, waitingRun));
    const tabs: Page[] = [];
    for (const { runId } of runs) {
      const tab = await context.newPage();
      tabs.push(tab);
      await tab.goto(`${stage().origin}/runs/${runId}`);
      await expectPage(tab.getByText('I have a question.')).toBeVisible();
    }
    const [first, ...others] = tabs;
    const [left, ...followed] = runs;
    await first?.close();
    await Promise.all(followed.map(answer));
    for (const tab of others) {
      await expectPage(tab.getByText('That was the answer.')).toBeVisible();
    }
    // The same run in all of them, one after the other come to it.
    if (left === undefined) throw new TypeError('there is no run left');
    for (const tab of others) await tab.goto(`${stage().origin}/runs/${left.runId}`);
    for (const tab of others) {
      await expectPage(tab.getByText('I have a question.')).toBeVisible();
    }
    await answer(left);
    for (const tab of others) {
      await expectPage(tab.getByText('That was the answer.')).toBeVisible();
    }
    await page.goto(`${stage().origin}/settings`);
    await expectPage(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    expect(visit.complaints).toEqual([]);
  },
);

/** What a busy browser does: it grants the lock that stands for a tab long after it was asked for. */
const LATE_LOCKS = `{
  const request = navigator.locks.request.bind(navigator.locks);
  navigator.locks.request = async (name, ...order) => {
    if (name.startsWith('palyra.tab.')) await new Promise((go) => setTimeout(go, 1000));
    return await request(name, ...order);
  };
}`;

it(
  'a tab is told of its run also where its wish comes before the sign that it is there',
  verifies('console:many-tabs'),
  async () => {
    await using visit = await stage().open('/');
    await visit.context.addInitScript({ content: LATE_LOCKS });
    for (const { runId } of await Promise.all([waitingRun(), waitingRun()])) {
      const tab = await visit.context.newPage();
      await tab.goto(`${stage().origin}/runs/${runId}`);
      await expectPage(tab.getByText('I have a question.')).toBeVisible();
    }
  },
);

/** What another busy browser does: what this tab says arrives only when the test lets it. */
const HELD_WISHES = `{
  const say = BroadcastChannel.prototype.postMessage;
  const held = [];
  BroadcastChannel.prototype.postMessage = function (word) {
    if (word.is === 'want' && !globalThis.letGo) held.push({ channel: this, word });
    else say.call(this, word);
  };
  globalThis.isWishHeld = () => held.some(({ word }) => word.runs.length > 0);
  globalThis.release = () => {
    globalThis.letGo = true;
    for (const { channel, word } of held) say.call(channel, word);
  };
}`;

it(
  'a tab whose wish comes late tells its run from the beginning, although it heard the end of it before',
  verifies('console:many-tabs'),
  async () => {
    await using visit = await stage().open('/');
    const run = await waitingRun();
    const first = await visit.context.newPage();
    await first.goto(`${stage().origin}/runs/${run.runId}`);
    await expectPage(first.getByText('I have a question.')).toBeVisible();
    const late = await visit.context.newPage();
    await late.addInitScript({ content: HELD_WISHES });
    await late.goto(`${stage().origin}/runs/${run.runId}`);
    await expectPage.poll(() => late.evaluate('globalThis.isWishHeld()')).toBe(true);
    await answer(run);
    await expectPage(first.getByText('That was the answer.')).toBeVisible();
    await late.evaluate('globalThis.release()');
    await expectPage(late.getByText('I have a question.')).toBeVisible();
    await expectPage(late.getByText('That was the answer.')).toBeVisible();
  },
);
