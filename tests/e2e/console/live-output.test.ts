import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ApprovalStatus } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { expect, it } from 'vitest';
import { expectPage, openStage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const SCRIPT = 'echo before the reload; while [ ! -e go ]; do sleep 0.1; done; echo after it';
const TALK = { command: 'sh', args: ['-c', SCRIPT] };

const stage = shareStage((browser) =>
  openStage([[{ tool: 'process.run', arguments: TALK }], [{ text: 'It went.\n' }]], { browser }),
);

/** Of a run whose command has printed, and prints no more until it is let go. */
async function runThatHasPrinted(): Promise<string> {
  const { client } = stage();
  for await (const { runId, event } of client.runs.startRun({ prompt: 'talk' })) {
    if (event.case === 'toolOutput') return runId;
    if (event.case !== 'approvalChanged' || event.value.status !== ApprovalStatus.PENDING) continue;
    const { approvalId, fingerprint } = event.value;
    await client.approvals.answerApproval({
      approvalId,
      fingerprint,
      answer: ApprovalStatus.GRANTED,
    });
  }
  throw new Error('nothing was printed');
}

const soFar = (page: Page) => page.getByRole('group', { name: 'Output so far' });

async function openCall(page: Page): Promise<void> {
  const head = page.getByRole('button', { name: /process\.run/ }).first();
  await head.waitFor();
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
}

it(
  'what a command has printed is there after a reload, once, before it ends',
  verifies('console:reload-loses-nothing'),
  async () => {
    const runId = await runThatHasPrinted();
    await using visit = await stage().open(`/runs/${runId}`);
    const { page } = visit;
    await openCall(page);
    await expectPage(soFar(page)).toHaveText('before the reload');
    await page.reload();
    await openCall(page);
    await expectPage(soFar(page)).toHaveText('before the reload');
    await writeFile(join(stage().workspace, 'go'), '');
    await expectPage(page.getByText('It went.')).toBeVisible();
    await expectPage(page.getByRole('group', { name: 'Output', exact: true })).toHaveText(
      'before the reload after it',
    );
    expect(visit.complaints).toEqual([]);
  },
);
