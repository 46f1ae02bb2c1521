import type { Gateway } from '@palyra/gateway';
import type { RunId } from '@palyra/kernel';
import { ApprovalStatus, Role, RunStatus } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { GIT, call, gated, openRules } from './approvals-and-rules.fixture.ts';
import {
  type Opened,
  bob,
  answer,
  cutOff,
  ended,
  openBusy,
  pendingOf,
  resumedBy,
  statusOf,
  until,
} from './cut-off-run.fixture.ts';
import { talkingModel } from './fakes.ts';
import { verifies } from './verifies.ts';

/** A run that was cut off while it waited, and what the next start makes of what happens before it. */
async function startAfter(at: Opened, act: (cut: Cut) => Promise<unknown>) {
  await using stack = new AsyncDisposableStack();
  const cut = stack.use(await cutOff(at));
  await act(cut);
  const { gateway } = stack.use(await at.restarted());
  const release = stack.move();
  const { runId } = cut;
  return { gateway, runId, [Symbol.asyncDispose]: () => release.disposeAsync() };
}

type Cut = Awaited<ReturnType<typeof cutOff>>;

/** No start, this one or the next, lets it go on. */
async function expectLeftAlone(at: Opened, gateway: Gateway, runId: RunId): Promise<void> {
  expect(await statusOf(gateway, runId)).toBe(RunStatus.INTERRUPTED);
  expect(await resumedBy(at, runId)).toEqual([]);
  expect(at.sandbox.requests).toEqual([]);
}

describe('a run that was answered after it was cut off, and that the gateway did not let go on', () => {
  it(
    'goes on at the next start, and its call runs once',
    verifies('approvals:goes-on-by-itself', 'runs:nothing-runs-twice'),
    async () => {
      await using at = await openRules();
      await using next = await startAfter(at, ({ record }) => at.yes(record));
      expect(await ended(next.gateway, next.runId)).toBe(RunStatus.COMPLETED);
      expect(at.sandbox.requests).toHaveLength(1);
      await using _again = await at.restarted();
      expect(await resumedBy(at, next.runId)).toEqual(['gateway']);
      expect(at.sandbox.requests).toHaveLength(1);
    },
  );

  it('hears a no at the next start', async () => {
    const model = talkingModel([call(GIT)], []);
    await using at = await openRules({ model });
    await using next = await startAfter(at, async ({ gateway, record }) => {
      await gateway.runs.drain(0);
      await answer(gateway, record, { answer: 'denied' });
    });
    expect(await ended(next.gateway, next.runId)).toBe(RunStatus.COMPLETED);
    expect(model.heard.at(-1)?.at(-1)).toMatchObject({
      text: expect.stringContaining('not today'),
    });
    expect(at.sandbox.requests).toEqual([]);
  });

  it('goes on at the next start when the gateway stopped before its turn had come', async () => {
    await using at = await openBusy(1);
    const { gateway, runId, record } = at.cut;
    await answer(gateway, record);
    await gateway.runs.drain(0);
    await using next = await at.restarted();
    await until(async () => (await resumedBy(at, runId)).length > 0);
    expect(await ended(next.gateway, runId)).toBe(RunStatus.COMPLETED);
    expect(await resumedBy(at, runId)).toEqual(['gateway']);
    expect(at.sandbox.requests).toHaveLength(1);
  });

  it('stays cut off for somebody who may do nothing any more', async () => {
    await using at = await openRules();
    await using next = await startAfter(at, async ({ record }) => {
      await at.yes(record);
      const { of } = at.standings;
      at.standings.of = async (who) => ({ ...(await of(who)), role: Role.UNSPECIFIED, member: '' });
    });
    await expectLeftAlone(at, next.gateway, next.runId);
  });

  it('stays cut off in an archived session', async () => {
    await using at = await openRules();
    await using next = await startAfter(at, async ({ gateway, sessionId, record }) => {
      await at.yes(record);
      await gateway.sessions.archive(sessionId, at.asker);
    });
    await expectLeftAlone(at, next.gateway, next.runId);
  });

  it('is over for good when it was called off meanwhile', async () => {
    await using at = await openRules();
    await using next = await startAfter(at, async ({ gateway, runId, record }) => {
      await at.yes(record);
      await gateway.runs.cancel(runId, at.asker);
    });
    expect(await statusOf(next.gateway, next.runId)).toBe(RunStatus.CANCELLED);
    expect(at.sandbox.requests).toEqual([]);
  });
});

describe('a run that a start finds cut off', () => {
  it('waits for `runs resume` while nobody has answered', async () => {
    await using at = await openRules();
    await using next = await startAfter(at, async () => {});
    await expectLeftAlone(at, next.gateway, next.runId);
    expect(await pendingOf(at, 1)).toHaveLength(1);
  });

  it('waits for the second of two people', async () => {
    const rule = gated('@quorum("2")', 'context.approval.count >= 2');
    await using at = await openRules({ rule });
    await using next = await startAfter(at, async ({ gateway, record }) => {
      expect(await answer(gateway, record, { caller: bob })).toBe(ApprovalStatus.PENDING);
    });
    await expectLeftAlone(at, next.gateway, next.runId);
  });

  it('waits for `runs resume` when its answer came before it was cut off', async () => {
    await using at = await openRules();
    const deaf = new AbortController();
    const ask = at.approvals.ask.bind(at.approvals);
    at.approvals.ask = async (question, signal) => {
      await ask(question, deaf.signal).catch(() => {});
      return await untilAborted(signal);
    };
    const { runId } = await at.gateway.runs.start({ prompt: 'go' }, at.asker);
    const records = await pendingOf(at, 1);
    deaf.abort();
    for (const record of records) await at.yes(record);
    await using next = await at.restarted();
    await expectLeftAlone(at, next.gateway, runId);
  });
});

async function untilAborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
