import { type RunId, permissionsOf } from '@palyra/kernel';
import { PrincipalKind, Role, RunStatus } from '@palyra/protocol';
import { ownerCaller, talkingModel, tempHome, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { ModelPort } from '../ports.ts';
import { runsSection } from '../settings.ts';

const ada = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  actor: 'user:ada',
  channel: 'cli',
} as const;
const bob = {
  ...ownerCaller(Role.ADMIN),
  principal: 'user:bob',
  actor: 'user:bob via console:tab',
};
const never = new AbortController().signal;
const whenBusy = 'wait';

/** Answers one run after the other, each when the test lets it. */
function heldModel() {
  const waiting: (() => void)[] = [];
  const prompts: string[] = [];
  const told: (readonly string[])[] = [];
  let asked = Promise.withResolvers<void>();
  const model: ModelPort = {
    name: 'held',
    isScript: true,
    choose: () => ({ kind: 'chosen', name: 'held' }),
    price: () => undefined,
    async *reply({ conversation }, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      waiting.push(resolve);
      prompts.push(conversation.at(-1)?.text ?? '');
      told.push(conversation.map(({ text }) => text));
      asked.resolve();
      asked = Promise.withResolvers<void>();
      await promise;
      yield { kind: 'text', text: 'done' };
    },
  };
  return { model, prompts, told, letGo: () => waiting.at(-1)?.(), nextAsked: () => asked.promise };
}

describe('a run that may wait', () => {
  it('is on record as waiting, begins by itself, and those before it stay in order', async () => {
    const held = heldModel();
    await using test = await testGateway({ model: held.model });
    const { runs } = test.gateway;
    const first = held.nextAsked();
    const { sessionId, ...one } = await runs.start({ prompt: 'one' }, ada);
    await first;
    const two = await runs.start({ prompt: 'two', sessionId, whenBusy }, ada);
    const three = await runs.start({ prompt: 'three', sessionId, whenBusy }, ada);
    expect((await runs.get(two.runId, ada)).status).toBe(RunStatus.QUEUED);
    expect(runs.activeCount).toBe(1);
    const watched = Array.fromAsync(runs.watch({ runId: two.runId, after: 0 }, ada, never));
    for (const prompt of ['two', 'three']) {
      const next = held.nextAsked();
      held.letGo();
      await next;
      expect(held.prompts.at(-1)).toBe(prompt);
    }
    held.letGo();
    await Array.fromAsync(three.events(never));
    expect((await watched).map(({ event }) => event.case)).toEqual([
      'runQueued',
      'runStarted',
      'textDelta',
      'modelMessage',
      'runEnded',
    ]);
    const listed = await runs.list({ limit: 9, sessionId }, ada);
    expect(listed.map(({ runId }) => runId)).toEqual([three.runId, two.runId, one.runId]);
  });

  it('begins at once in a session that nobody uses, and never waits', async () => {
    await using test = await testGateway({ model: talkingModel([]) });
    const run = await test.gateway.runs.start({ prompt: 'go', whenBusy }, ada);
    const events = await Array.fromAsync(run.events(never));
    expect(events.map(({ event }) => event.case)).toEqual(['runStarted', 'runEnded']);
  });

  it('can be cancelled while it waits, and the one behind it moves up', async () => {
    const held = heldModel();
    await using test = await testGateway({ model: held.model });
    const { runs } = test.gateway;
    const begun = held.nextAsked();
    const { sessionId } = await runs.start({ prompt: 'one' }, ada);
    await begun;
    const two = await runs.start({ prompt: 'two', sessionId, whenBusy }, ada);
    await runs.start({ prompt: 'three', sessionId, whenBusy }, ada);
    expect(await runs.cancel(two.runId, bob)).toMatchObject({ status: RunStatus.CANCELLED });
    const entries = await test.journal.page({ after: 0, limit: 9, runId: two.runId });
    expect(entries.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['run.queued', 'user:ada'],
      ['run.ended', 'user:bob via console:tab'],
    ]);
    const next = held.nextAsked();
    held.letGo();
    await next;
    expect(held.told.at(-1)).toEqual(['one', 'done', 'three']);
  });

  it('is refused when as many wait already as may, and nothing is left of it', async () => {
    const held = heldModel();
    const settings = { ...runsSection.parse({}), max_queued: 1 };
    await using test = await testGateway({ model: held.model, settings });
    const { runs } = test.gateway;
    const { sessionId } = await runs.start({ prompt: 'one' }, ada);
    const tries = await Promise.allSettled(
      ['two', 'three', 'four'].map((prompt) => runs.start({ prompt, sessionId, whenBusy }, ada)),
    );
    expect(tries.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(tries[1]).toMatchObject({ reason: { code: 'OVERLOADED' } });
    expect(await runs.list({ limit: 9, sessionId }, ada)).toHaveLength(2);
  });

  it('goes on after the one before it has failed or was cancelled', async () => {
    const held = heldModel();
    await using test = await testGateway({ model: held.model });
    const { runs } = test.gateway;
    const begun = held.nextAsked();
    const one = await runs.start({ prompt: 'one' }, ada);
    await begun;
    const { sessionId } = one;
    const two = await runs.start({ prompt: 'two', sessionId, whenBusy }, ada);
    const next = held.nextAsked();
    await runs.cancel(one.runId, bob);
    await next;
    held.letGo();
    await Array.fromAsync(two.events(never));
    expect((await runs.get(two.runId, ada)).status).toBe(RunStatus.COMPLETED);
  });
});

describe('a session that is to be archived', () => {
  async function withTwoWaiting() {
    const held = heldModel();
    const test = await testGateway({ model: held.model });
    const { runs } = test.gateway;
    const begun = held.nextAsked();
    const one = await runs.start({ prompt: 'one' }, ada);
    await begun;
    const { sessionId } = one;
    const two = await runs.start({ prompt: 'two', sessionId, whenBusy }, ada);
    const three = await runs.start({ prompt: 'three', sessionId, whenBusy }, ada);
    const close = () => test[Symbol.asyncDispose]();
    return { test, held, sessionId, one, two, three, [Symbol.asyncDispose]: close };
  }

  it('stays open while a run in it is active or waits, and the refusal says what to do', async () => {
    await using busy = await withTwoWaiting();
    const { sessionId, one, two, three } = busy;
    const { runs, sessions } = busy.test.gateway;
    const refusal = { code: 'SESSION_BUSY', help: expect.stringContaining('palyra runs cancel') };
    await expect(sessions.archive(sessionId, ada)).rejects.toMatchObject(refusal);
    expect((await sessions.get(sessionId, ada)).archivedAt).toBe('');
    for (const { runId } of [three, two]) await runs.cancel(runId, ada);
    await expect(sessions.archive(sessionId, ada)).rejects.toMatchObject(refusal);
    await runs.cancel(one.runId, ada);
    expect((await sessions.archive(sessionId, ada)).archivedAt).not.toBe('');
  });

  it('begins none that waits, also when one came to wait in the very moment', async () => {
    await using busy = await withTwoWaiting();
    const { test, held, sessionId, three } = busy;
    const { runs } = test.gateway;
    await test.parts.sessions.archive(sessionId, 'user:ada');
    const begun = held.nextAsked();
    held.letGo();
    await Promise.race([begun, Array.fromAsync(three.events(never))]);
    expect(held.prompts).toEqual(['one']);
    expect(await runs.list({ limit: 9, sessionId }, ada)).toMatchObject([
      { status: RunStatus.FAILED },
      { status: RunStatus.FAILED },
      { status: RunStatus.COMPLETED },
    ]);
    const [ended] = (await test.journal.page({ after: 0, limit: 9, runId: three.runId })).slice(-1);
    expect(ended?.payload).toMatchObject({ error: { code: 'ERROR_CODE_SESSION_ARCHIVED' } });
  });
});

describe('a run that waits when the daemon stops', () => {
  it('is interrupted, does not begin by itself afterwards, and begins when it is resumed', async () => {
    await using home = await tempHome();
    const held = heldModel();
    let waiting: RunId;
    {
      await using test = await testGateway({ home, model: held.model });
      const { runs } = test.gateway;
      const { sessionId } = await runs.start({ prompt: 'one' }, ada);
      waiting = (await runs.start({ prompt: 'two', sessionId, whenBusy }, ada)).runId;
    }
    const model = talkingModel([{ kind: 'text', text: 'hello' }]);
    await using test = await testGateway({ home, model });
    const { runs } = test.gateway;
    await runs.recover();
    expect((await runs.get(waiting, ada)).status).toBe(RunStatus.INTERRUPTED);
    expect(model.heard).toEqual([]);
    const events = await Array.fromAsync((await runs.resume(waiting, ada)).events(never));
    expect(events.map(({ event }) => event.case).filter((name) => name !== 'textDelta')).toEqual([
      'runQueued',
      'runInterrupted',
      'runStarted',
      'modelMessage',
      'runEnded',
    ]);
    expect(model.heard[0]?.map(({ text }) => text)).toEqual([
      'one',
      '(This run was interrupted before it was done.)',
      'two',
    ]);
  });
});
