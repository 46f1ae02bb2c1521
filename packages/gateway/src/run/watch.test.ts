import { type EntryDraft, createIds, systemClock } from '@palyra/kernel';
import { testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { eventOf } from './run-event.ts';
import { RunStream } from './run-stream.ts';
import { watchRun } from './watch.ts';

const ids = createIds(systemClock());
const { signal } = new AbortController();

/** A run of which `drafts` are on record, and which of it was looked up. */
async function begun(...drafts: readonly EntryDraft[]) {
  const test = await testGateway();
  const runId = ids.next<'run'>();
  const entries = await test.journal.append(
    drafts.map((draft) => ({ ...draft, runId, sessionId: ids.next<'session'>() })),
  );
  const reads: (string | symbol)[] = [];
  const journal = new Proxy(test.journal, {
    get: (target, name) => {
      reads.push(name);
      return Reflect.get(target, name, target);
    },
  });
  const live = new RunStream(runId, 10);
  const heard = async () => {
    const events = await Array.fromAsync(watchRun({ runId, after: 0, live, journal }, signal));
    return events.map(({ event }) => event.case);
  };
  return {
    test,
    entries,
    live,
    reads,
    heard,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

const STARTED: EntryDraft = {
  kind: 'run.started',
  actor: 'user:ada',
  payload: { prompt: 'go' },
};
const ENDED: EntryDraft = { kind: 'run.ended', actor: 'gateway', payload: {} };

describe('whoever watches a run from its start', () => {
  it('is told of a beginning that is all there is, once, and nobody reads the journal for that', async () => {
    await using run = await begun(STARTED);
    run.live.begin(run.entries.map(eventOf));
    run.live.speak('yes');
    run.live.end();
    expect(await run.heard()).toEqual(['runStarted', 'textDelta']);
    expect(run.reads).toEqual([]);
  });

  it('is told that its beginning was archived, and not what is left of it', async () => {
    await using run = await begun(ENDED);
    run.live.end();
    await expect(run.heard()).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('was archived'),
    });
  });

  it('hears from the journal what came after the beginning', async () => {
    await using run = await begun(STARTED, ENDED);
    const [first, last] = run.entries.map(eventOf);
    if (first !== undefined) run.live.begin([first]);
    if (last !== undefined) run.live.publish(last);
    run.live.end();
    expect(await run.heard()).toEqual(['runStarted', 'runEnded']);
    expect(run.reads).not.toEqual([]);
  });
});
