import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { ApprovalStatus, type RunStatus } from '@palyra/protocol';
import { type ConsoleStage, expectPage, openStage } from './harness.ts';

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

/** A run that asks three times before it is done: twice to run a program, once to list a folder. */
export interface AskingRun {
  /** Its next question. Contract: rejects when the run ends first. */
  question(): Promise<string>;
  /** How it ended, once it has. */
  ended(): Promise<RunStatus>;
}

export async function openApprovalsStage(browser: Browser): Promise<ConsoleStage> {
  const stage = await openStage(SCRIPT, { browser });
  const rules = join(stage.home.places.configDir, 'policies');
  await mkdir(rules, { mode: 0o700 });
  await writeFile(join(rules, 'hurry.cedar'), HURRY, { mode: 0o600 });
  await stage.client.policy.reloadPolicy({});
  return stage;
}

export function startAsking({ client }: ConsoleStage): AskingRun {
  const events = client.runs.startRun({ prompt: 'go' })[Symbol.asyncIterator]();
  const next = async () => {
    const { done, value } = await events.next();
    if (done === true) throw new Error('the run has nothing more to tell');
    return value.event;
  };
  return {
    async question() {
      for (;;) {
        const event = await next();
        if (event.case !== 'approvalChanged') continue;
        if (event.value.status === ApprovalStatus.PENDING) return event.value.approvalId;
      }
    },
    async ended() {
      for (;;) {
        const event = await next();
        if (event.case === 'runEnded') return event.value.status;
      }
    },
  };
}

/** Somebody answers, not in this browser. */
export async function answer(
  { client }: ConsoleStage,
  approvalId: string,
  status: ApprovalStatus,
): Promise<void> {
  const { approval } = await client.approvals.getApproval({ approvalId });
  const fingerprint = approval?.fingerprint ?? '';
  await client.approvals.answerApproval({ approvalId, answer: status, fingerprint });
}

export async function statusOf({ client }: ConsoleStage, approvalId: string) {
  const { approval } = await client.approvals.getApproval({ approvalId });
  return approval?.status;
}

/** Keys count once somebody could have read the question, as buttons do, which show it. */
export async function shown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 2, name: 'process.run' }).waitFor();
  await expectPage(page.getByRole('button', { name: 'Yes, once' })).toBeEnabled();
}
