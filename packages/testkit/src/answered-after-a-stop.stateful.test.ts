import type { Caller, Gateway } from '@palyra/gateway';
import type { RunId, SessionId } from '@palyra/kernel';
import { ApprovalStatus, Role, RunStatus, StopReason } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { GIT, call, gated, openRules } from './approvals-and-rules.fixture.ts';
import {
  type Opened,
  answer,
  bob,
  codeOf,
  cutOff,
  ended,
  openBusy,
  pendingOf,
  resumedBy,
  statusOf,
  until,
} from './cut-off-run.fixture.ts';
import { talkingModel } from './fakes.ts';
import { ownerCaller } from './owner-caller.ts';
import { verifies } from './verifies.ts';

/** Until the session takes a run again: whatever waited in it has gone on, or left. */
async function untilFree(
  { gateway, sessionId }: { readonly gateway: Gateway; readonly sessionId: SessionId },
  asker: Caller,
): Promise<void> {
  const { runs } = gateway;
  await until(async () => {
    const next = await runs.start({ prompt: 'meanwhile', sessionId }, asker).catch(codeOf);
    if (next === 'SESSION_BUSY') return false;
    if (typeof next === 'string') throw new TypeError(next);
    await runs.cancel(next.runId, asker);
    return true;
  });
}

async function asked({ journal }: Opened, runId: RunId): Promise<number> {
  const entries = await journal.page({ after: 0, limit: 100, runId });
  return entries.filter(({ kind }) => kind === 'approval.asked').length;
}

describe('a run that was cut off while it waited for a person', () => {
  it(
    'goes on by itself after a yes, whoever gives it, and its call runs once',
    verifies('approvals:goes-on-by-itself', 'runs:nothing-runs-twice'),
    async () => {
      await using at = await openRules();
      await using cut = await cutOff(at);
      const { gateway, runId, record } = cut;
      expect(await answer(gateway, record, { caller: bob })).toBe(ApprovalStatus.GRANTED);
      expect(await ended(gateway, runId)).toBe(RunStatus.COMPLETED);
      expect(at.sandbox.requests).toMatchObject([{ arguments: { command: 'git' } }]);
      expect(await resumedBy(at, runId)).toEqual(['gateway']);
    },
  );

  it(
    'goes on after a no, hears it, and asks nobody again',
    verifies('approvals:goes-on-by-itself', 'approvals:no-is-no'),
    async () => {
      const model = talkingModel([call(GIT)], []);
      await using at = await openRules({ model });
      await using cut = await cutOff(at);
      const { gateway, runId, record } = cut;
      expect(await answer(gateway, record, { answer: 'denied' })).toBe(ApprovalStatus.DENIED);
      expect(await ended(gateway, runId)).toBe(RunStatus.COMPLETED);
      expect(at.sandbox.requests).toEqual([]);
      expect(model.heard.at(-1)?.at(-1)).toMatchObject({
        role: 'tool',
        text: expect.stringContaining('not today'),
      });
      expect(await asked(at, runId)).toBe(1);
    },
  );

  it('goes on once, however many answer at once', async () => {
    await using at = await openRules();
    await using cut = await cutOff(at);
    const { gateway, runId, record } = cut;
    const ends = await Promise.all(
      Array.from({ length: 10 }, () => answer(gateway, record).catch(codeOf)),
    );
    expect(ends.filter((end) => end === ApprovalStatus.GRANTED)).toHaveLength(1);
    expect(ends.filter((end) => end === 'APPROVAL_CLOSED')).toHaveLength(9);
    expect(await ended(gateway, runId)).toBe(RunStatus.COMPLETED);
    expect(at.sandbox.requests).toHaveLength(1);
    expect(await resumedBy(at, runId)).toEqual(['gateway']);
  });

  it('goes on once when two of its questions are answered at once, and hears both', async () => {
    const model = talkingModel([call(GIT), call({ command: 'git', args: ['log'] })], []);
    await using at = await openRules({ model });
    await using cut = await cutOff(at, 2);
    const { gateway, runId, records } = cut;
    await Promise.all(records.map((record) => answer(gateway, record)));
    expect(await ended(gateway, runId)).toBe(RunStatus.COMPLETED);
    expect(at.sandbox.requests).toHaveLength(2);
    expect(await resumedBy(at, runId)).toEqual(['gateway']);
  });

  it('waits for the second of two people', async () => {
    const rule = gated('@quorum("2")', 'context.approval.count >= 2');
    await using at = await openRules({ rule });
    await using cut = await cutOff(at);
    const { gateway, runId, record } = cut;
    const ada = { ...ownerCaller(), vouchedBy: [] };
    expect(await answer(gateway, record, { caller: ada })).toBe(ApprovalStatus.PENDING);
    expect(await statusOf(gateway, runId)).toBe(RunStatus.INTERRUPTED);
    expect(await answer(gateway, record, { caller: bob })).toBe(ApprovalStatus.GRANTED);
    expect(await ended(gateway, runId)).toBe(RunStatus.COMPLETED);
    expect(at.sandbox.requests).toHaveLength(1);
  });

  it('stays cut off for somebody who may do nothing any more; the answer is taken', async () => {
    await using at = await openRules();
    await using cut = await cutOff(at);
    const { gateway, runId, record } = cut;
    const { of } = at.standings;
    at.standings.of = async (who) => ({ ...(await of(who)), role: Role.UNSPECIFIED, member: '' });
    expect(await answer(gateway, record, { caller: bob })).toBe(ApprovalStatus.GRANTED);
    expect(await statusOf(gateway, runId)).toBe(RunStatus.INTERRUPTED);
    expect(at.sandbox.requests).toEqual([]);
  });

  it('waits for its turn while its session has another run, and goes on once', async () => {
    await using at = await openBusy(2);
    const { gateway, runId, records, other } = at.cut;
    for (const record of records) {
      expect(await answer(gateway, record)).toBe(ApprovalStatus.GRANTED);
    }
    expect(await statusOf(gateway, runId)).toBe(RunStatus.INTERRUPTED);
    await gateway.runs.cancel(other.runId, at.asker);
    await until(async () => (await resumedBy(at, runId)).length > 0);
    expect(await ended(gateway, runId)).toBe(RunStatus.COMPLETED);
    expect(at.sandbox.requests).toHaveLength(2);
    expect(await resumedBy(at, runId)).toEqual(['gateway']);
  });

  it('goes on in its turn with the rights that its person has by then', async () => {
    await using at = await openBusy(1);
    const { gateway, runId, record, other } = at.cut;
    await answer(gateway, record, { caller: bob });
    const { of } = at.standings;
    at.standings.of = async (who) => ({ ...(await of(who)), role: Role.UNSPECIFIED, member: '' });
    await gateway.runs.cancel(other.runId, at.asker);
    await untilFree(at.cut, at.asker);
    expect(await statusOf(gateway, runId)).toBe(RunStatus.INTERRUPTED);
    expect(at.sandbox.requests).toEqual([]);
  });

  it('stays cut off while its session is archived, also when it is taken up by hand', async () => {
    await using at = await openRules();
    await using cut = await cutOff(at);
    const { gateway, runId, sessionId, record } = cut;
    await gateway.sessions.archive(sessionId, at.asker);
    expect(await answer(gateway, record)).toBe(ApprovalStatus.GRANTED);
    await expect(gateway.runs.resume(runId, at.asker)).rejects.toMatchObject({
      code: 'SESSION_ARCHIVED',
    });
    expect(await statusOf(gateway, runId)).toBe(RunStatus.INTERRUPTED);
    expect(at.sandbox.requests).toEqual([]);
    await gateway.sessions.restore(sessionId, at.asker);
    await gateway.runs.resume(runId, at.asker);
    expect(await ended(gateway, runId)).toBe(RunStatus.COMPLETED);
    expect(at.sandbox.requests).toHaveLength(1);
  });

  it('that goes on already, or has ended, is left alone by an answer', async () => {
    await using at = await openRules();
    const { runId } = await at.gateway.runs.start({ prompt: 'go' }, at.asker);
    for (const record of await pendingOf(at, 1)) await answer(at.gateway, record);
    expect(await ended(at.gateway, runId)).toBe(RunStatus.COMPLETED);
    expect(await resumedBy(at, runId)).toEqual([]);
  });
});

/** What happened to the run as a whole, in order. */
async function courseOf({ journal }: Opened, runId: RunId): Promise<readonly string[]> {
  const entries = await journal.page({ after: 0, limit: 100, runId });
  return entries.flatMap(({ kind, actor }) =>
    kind.startsWith('run.') ? [`${kind} ${actor}`] : [],
  );
}

describe('calling off a run that was cut off while it waited for a person', () => {
  it(
    'ends it for good: its questions are withdrawn, and nothing takes it up',
    verifies('runs:cancel-is-recorded'),
    async () => {
      const model = talkingModel([call(GIT), call({ command: 'git', args: ['log'] })], []);
      await using at = await openRules({ model });
      await using cut = await cutOff(at, 2);
      const { gateway, runId, record } = cut;
      const run = await gateway.runs.cancel(runId, bob);
      expect(run).toMatchObject({
        status: RunStatus.CANCELLED,
        stopReason: StopReason.CANCELLED,
      });
      expect((await courseOf(at, runId)).at(-1)).toBe('run.ended user:bob');
      expect(await pendingOf(at, 0)).toEqual([]);
      expect((await at.approvals.get(record.approvalId)).record).toMatchObject({
        status: ApprovalStatus.CANCELLED,
        reason: 'the run was cancelled',
      });
      expect(await answer(gateway, record).catch(codeOf)).toBe('APPROVAL_CLOSED');
      await expect(gateway.runs.resume(runId, at.asker)).rejects.toMatchObject({
        code: 'RUN_NOT_RESUMABLE',
      });
      await expect(gateway.runs.cancel(runId, bob)).rejects.toMatchObject({
        code: 'RUN_NOT_ACTIVE',
      });
      expect(at.sandbox.requests).toEqual([]);
    },
  );

  it('counts also where its question could not be withdrawn: a yes takes nothing up', async () => {
    await using at = await openRules();
    await using cut = await cutOff(at);
    const { gateway, runId, record } = cut;
    at.approvals.withdrawAll = () => Promise.reject(new Error('the disk is full'));
    await gateway.runs.cancel(runId, at.asker);
    expect(await answer(gateway, record)).toBe(ApprovalStatus.GRANTED);
    expect(await statusOf(gateway, runId)).toBe(RunStatus.CANCELLED);
    expect(await resumedBy(at, runId)).toEqual([]);
    expect(at.sandbox.requests).toEqual([]);
  });

  it('takes back a yes, even while the run waits for its turn in a busy session', async () => {
    await using at = await openBusy(1);
    const { gateway, runId, record, other } = at.cut;
    expect(await answer(gateway, record)).toBe(ApprovalStatus.GRANTED);
    const { status } = await gateway.runs.cancel(runId, at.asker);
    expect(status).toBe(RunStatus.CANCELLED);
    expect((await at.approvals.get(record.approvalId)).record.status).toBe(
      ApprovalStatus.CANCELLED,
    );
    expect(await statusOf(gateway, other.runId)).toBe(RunStatus.ACTIVE);
    await gateway.runs.cancel(other.runId, at.asker);
    await untilFree(at.cut, at.asker);
    expect(await resumedBy(at, runId)).toEqual([]);
    expect(at.sandbox.requests).toEqual([]);
  });

  it('is for whoever may stop it', async () => {
    await using at = await openRules();
    await using cut = await cutOff(at);
    const { gateway, runId } = cut;
    const operator = { ...bob, member: { userId: 'bob', name: 'bob', role: Role.OPERATOR } };
    await expect(gateway.runs.cancel(runId, operator)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    expect(await statusOf(gateway, runId)).toBe(RunStatus.INTERRUPTED);
    expect(await pendingOf(at, 1)).toHaveLength(1);
  });

  it.each(['before', 'after'] as const)(
    'in the moment %s it is taken up ends it once, and it does not go on after that',
    async (when) => {
      await using at = await openRules();
      await using cut = await cutOff(at);
      const { gateway, runId, record } = cut;
      const acts = [
        () => gateway.runs.cancel(runId, bob),
        () => answer(gateway, record).catch(codeOf),
        () => gateway.runs.resume(runId, at.asker).catch(codeOf),
      ];
      if (when === 'after') acts.reverse();
      await Promise.all(acts.map((act) => act()));
      expect(await ended(gateway, runId)).toBe(RunStatus.CANCELLED);
      const course = await courseOf(at, runId);
      expect(course.filter((step) => step.startsWith('run.ended'))).toEqual(['run.ended user:bob']);
      expect(course.at(-1)).toBe('run.ended user:bob');
      expect(await pendingOf(at, 0)).toEqual([]);
    },
  );
});

describe('a run that is taken up again', () => {
  it('leaves no question behind that it did not come to', async () => {
    await using at = await openRules();
    await using cut = await cutOff(at);
    const { gateway, runId, record } = cut;
    at.sandbox.place = () => Promise.reject(new Error('there is no cage any more'));
    await gateway.runs.resume(runId, at.asker);
    expect(await ended(gateway, runId)).toBe(RunStatus.FAILED);
    const found = async () => (await at.approvals.get(record.approvalId)).record;
    await until(async () => (await found()).status !== ApprovalStatus.PENDING);
    expect(await found()).toMatchObject({
      status: ApprovalStatus.CANCELLED,
      reason: 'the run is over',
    });
    expect(at.sandbox.requests).toEqual([]);
  });
});
