import type { SandboxPort } from '@palyra/gateway';
import { ApprovalStatus, RunStatus } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { GIT, call, openRules } from './approvals-and-rules.fixture.ts';
import {
  type Opened,
  answer,
  ended,
  pendingOf,
  resumedBy,
  statusOf,
  until,
} from './cut-off-run.fixture.ts';
import { talkingModel } from './fakes.ts';
import { verifies } from './verifies.ts';

/** Whoever needs it does not end within the time of a test. */
const LONG_MS = 3_600_000;

/** Is executed without a question. */
const READ = {
  kind: 'tool-call',
  tool: 'fs.read',
  argumentsJson: JSON.stringify({ path: 'a.txt' }),
} as const;

/** Holds a call in the middle of its execution until the test lets it end. */
function held(at: Opened) {
  const inside = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  const execute = at.sandbox.execute.bind(at.sandbox);
  const holding: SandboxPort['execute'] = async (request, signal) => {
    inside.resolve();
    await leave.promise;
    signal.throwIfAborted();
    return await execute(request, signal);
  };
  at.sandbox.execute = holding;
  return { isInside: inside.promise, leave: () => leave.resolve() };
}

async function outcomesOf({ journal }: Opened, runId: string): Promise<readonly unknown[]> {
  const entries = await journal.page({ after: 0, limit: 100 });
  return entries.flatMap((entry) =>
    entry.kind === 'tool.finished' && entry.runId === runId ? [entry.payload['outcome']] : [],
  );
}

describe('a gateway that stops while a run waits for a person', () => {
  it(
    'interrupts it at once, and its question waits for the next start',
    verifies('approvals:survives-restart'),
    async () => {
      await using at = await openRules();
      const { runId } = await at.gateway.runs.start({ prompt: 'go' }, at.asker);
      const records = await pendingOf(at, 1);
      await at.gateway.runs.drain(LONG_MS);
      expect(await statusOf(at.gateway, runId)).toBe(RunStatus.INTERRUPTED);
      expect(await pendingOf(at, 1)).toEqual(records);
      await using next = await at.restarted();
      for (const record of records) {
        expect(await answer(next.gateway, record)).toBe(ApprovalStatus.GRANTED);
      }
      expect(await ended(next.gateway, runId)).toBe(RunStatus.COMPLETED);
      expect(at.sandbox.requests).toHaveLength(1);
      expect(await resumedBy(at, runId)).toEqual(['gateway']);
    },
  );

  it('lets a call end first that is executed beside the question', async () => {
    await using at = await openRules({ model: talkingModel([READ, call(GIT)], []) });
    const { isInside, leave } = held(at);
    const { runId } = await at.gateway.runs.start({ prompt: 'go' }, at.asker);
    await isInside;
    await pendingOf(at, 1);
    const drained = at.gateway.runs.drain(LONG_MS);
    expect(await statusOf(at.gateway, runId)).toBe(RunStatus.ACTIVE);
    leave();
    await drained;
    expect(await statusOf(at.gateway, runId)).toBe(RunStatus.INTERRUPTED);
    expect(await outcomesOf(at, runId)).toEqual(['TOOL_OUTCOME_SUCCEEDED']);
    expect(await pendingOf(at, 1)).toHaveLength(1);
  });

  it('interrupts one that comes to ask a person only then', async () => {
    await using at = await openRules({ model: talkingModel([READ], [call(GIT)], []) });
    const { isInside, leave } = held(at);
    const { runId } = await at.gateway.runs.start({ prompt: 'go' }, at.asker);
    await isInside;
    const drained = at.gateway.runs.drain(LONG_MS);
    leave();
    await drained;
    expect(await statusOf(at.gateway, runId)).toBe(RunStatus.INTERRUPTED);
    expect(await pendingOf(at, 1)).toHaveLength(1);
  });

  it('lets one end that waits for nobody', async () => {
    await using at = await openRules({ model: talkingModel([READ], []) });
    const { isInside, leave } = held(at);
    const { runId } = await at.gateway.runs.start({ prompt: 'go' }, at.asker);
    await isInside;
    const drained = at.gateway.runs.drain(LONG_MS);
    leave();
    await drained;
    expect(await statusOf(at.gateway, runId)).toBe(RunStatus.COMPLETED);
  });

  it('asks nobody again for a call that was granted and waited behind another one', async () => {
    const calls = [GIT, { command: 'git', args: ['log'] }].map(call);
    await using at = await openRules({ model: talkingModel(calls, []) });
    const { runId } = await at.gateway.runs.start({ prompt: 'go' }, at.asker);
    const records = await pendingOf(at, 2);
    const byCall = records.toSorted((one, other) => (one.approvalId < other.approvalId ? -1 : 1));
    const [first, second] = byCall;
    if (first === undefined || second === undefined) throw new TypeError('nobody was asked');
    await at.yes(second);
    const found = async () => (await at.approvals.get(second.approvalId)).record;
    await until(async () => (await found()).usedAt !== '');
    await using next = await at.restarted();
    await answer(next.gateway, first);
    expect(await ended(next.gateway, runId)).toBe(RunStatus.COMPLETED);
    expect(at.sandbox.requests).toHaveLength(2);
    const entries = await at.journal.page({ after: 0, limit: 100, runId });
    expect(entries.filter(({ kind }) => kind === 'approval.asked')).toHaveLength(2);
  });
});
