import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApprovalStatus } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { expect, it } from 'vitest';
import { expectPage, openStage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const WAIT = { command: 'sh', args: ['-c', 'while [ ! -e go ]; do sleep 0.1; done'] };

const stage = shareStage((browser) =>
  openStage([[{ tool: 'process.run', arguments: WAIT }], [{ text: 'It went.\n' }]], { browser }),
);

it(
  'the sandboxes are shown as they are, command by command',
  verifies('console:live'),
  async () => {
    const { client, workspace } = stage();
    await using visit = await stage().open('/sandbox');
    const { page } = visit;
    const other = await visit.context.newPage();
    await other.goto(`${stage().origin}/sandbox`);
    for (const tab of [page, other]) {
      await expectPage(tab.getByText(/^0 of at most/).first()).toBeVisible();
    }
    for await (const { event } of client.runs.startRun({ prompt: 'wait' })) {
      if (event.case === 'toolStarted') break;
      if (event.case !== 'approvalChanged' || event.value.status !== ApprovalStatus.PENDING)
        continue;
      const { approvalId, fingerprint } = event.value;
      const answer = ApprovalStatus.GRANTED;
      await client.approvals.answerApproval({ approvalId, fingerprint, answer });
    }
    for (const tab of [page, other]) {
      await expectPage(tab.getByText('Commands under way').locator('..')).toContainText('1 of at');
    }
    await writeFile(join(workspace, 'go'), '');
    for (const tab of [page, other]) {
      await expectPage(tab.getByText('Commands under way').locator('..')).toContainText('0 of at');
    }
    expect(visit.complaints).toEqual([]);
  },
);

it('runs and sessions are listed back to the first one', verifies('console:live'), async () => {
  const { client } = stage();
  await writeFile(join(stage().workspace, 'go'), '');
  const first = await client.sessions.createSession({ title: 'the very first' });
  for (let made = 0; made < 50; made += 1) await client.sessions.createSession({ title: 'more' });
  const sessionId = first.session?.sessionId ?? '';
  const start = async (prompt: string) => {
    const leaving = new AbortController();
    const wish = { prompt, sessionId, mayWait: true };
    for await (const { runId } of client.runs.startRun(wish, { signal: leaving.signal })) {
      await client.runs.cancelRun({ runId });
      break;
    }
    leaving.abort();
  };
  await start('the oldest of all');
  for (let made = 0; made < 20; made += 1) await start(`number ${made}`);
  await using visit = await stage().open(`/chat/${sessionId}`);
  const { page } = visit;
  const told = page.getByRole('log');
  await expectPage(told.getByText('number 19')).toBeVisible();
  const earlier = page.getByRole('button', { name: 'Show earlier runs' });
  // As a person would: a conversation that still comes in keeps to its end.
  await expectPage(async () => {
    await told.press('Home');
    await earlier.click({ timeout: 3_000 });
  }).toPass();
  await expectPage(told.getByText('the oldest of all')).toBeVisible();
  // What comes meanwhile pushes nothing out.
  await start('the newest of all');
  await expectPage(earlier).toHaveCount(0);
  await expectPage(async () => {
    await told.press('Home');
    await expectPage(told.getByText('the oldest of all')).toBeVisible({ timeout: 3_000 });
  }).toPass();

  await page.goto(`${stage().origin}/chat`);
  const session = page.getByRole('link', { name: /the very first/ });
  await page.getByRole('button', { name: 'Show older' }).click();
  await expectPage(session).toBeVisible();
  expect(visit.complaints).toEqual([]);
});

it(
  'a list that was answered before something changed shows the change all the same',
  verifies('console:live'),
  async () => {
    const { client, origin } = stage();
    const was = 'test';
    const is = 'named while it was asked for';
    await using visit = await stage().open('/settings');
    const { page } = visit;
    const other = await visit.context.newPage();
    await other.goto(`${origin}/devices`);
    await expectPage(other.getByText(was, { exact: true })).toBeVisible();
    const answered = Promise.withResolvers<void>();
    const known = Promise.withResolvers<void>();
    await page.route(
      '**/palyra.v1.DeviceService/ListDevices',
      async (route) => {
        const response = await route.fetch();
        answered.resolve();
        await known.promise;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await page.getByRole('link', { name: 'Devices' }).click();
    await answered.promise;
    await client.devices.renameDevice({ device: was, name: is });
    // The first tab tells the second, so it has heard of it itself.
    await expectPage(other.getByText(is)).toBeVisible();
    known.resolve();
    await expectPage(page.getByText(is)).toBeVisible();
    await client.devices.renameDevice({ device: is, name: was });
  },
);
