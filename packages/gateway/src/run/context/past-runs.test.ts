import { create } from '@bufbuild/protobuf';
import { PalyraError, type RunId, createIds, systemClock } from '@palyra/kernel';
import { ModelMessageSchema, RunStartedSchema } from '@palyra/protocol';
import { testGateway } from '@palyra/testkit';
import { expect, it } from 'vitest';
import type { JournalPort } from '../../ports.ts';
import { type RunIdentity, draftOf } from '../run-note.ts';
import { PastRuns } from './past-runs.ts';

const ids = createIds(systemClock());
const MEBIBYTE = 1024 * 1024;

async function stage() {
  const test = await testGateway();
  const reads: RunId[] = [];
  const trouble = { isBroken: false };
  const journal: JournalPort = {
    ...test.journal,
    subscribe: (listener) => test.journal.subscribe(listener),
    page: async (query) => {
      if (query.after === 0 && query.runId !== undefined) reads.push(query.runId);
      if (trouble.isBroken) throw new PalyraError('JOURNAL_CORRUPT', 'an entry cannot be read');
      return await test.journal.page(query);
    },
  };
  const start = async (prompt: string): Promise<RunIdentity> => {
    const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>() };
    const message = create(RunStartedSchema, { prompt });
    await test.journal.append([draftOf(run, { kind: 'run.started', actor: 'user:ada', message })]);
    return run;
  };
  const say = async (run: RunIdentity, text: string) => {
    const message = create(ModelMessageSchema, { text });
    await test.journal.append([draftOf(run, { kind: 'model.message', actor: 'agent', message })]);
  };
  const pastRuns = new PastRuns(journal);
  const wordsOf = async ({ runId }: RunIdentity) =>
    (await pastRuns.read(runId)).units.map(({ text }) => text);
  const close = async () => await test[Symbol.asyncDispose]();
  return { ...test, pastRuns, reads, trouble, start, say, wordsOf, [Symbol.asyncDispose]: close };
}

it('an earlier run is gone through once, however many come after it', async () => {
  await using test = await stage();
  const run = await test.start('one');
  expect(await test.wordsOf(run)).toEqual(['one']);
  const other = await test.start('two');
  expect(await test.wordsOf(other)).toEqual(['two']);
  expect(await test.wordsOf(run)).toEqual(['one']);
  expect(test.reads).toEqual([run.runId, other.runId]);
});

it('a run that was read ahead is not gone through again by whoever asks, unless it could not be read', async () => {
  await using test = await stage();
  const [run, other] = [await test.start('one'), await test.start('two')];
  await test.pastRuns.readAhead(run.runId);
  test.trouble.isBroken = true;
  await test.pastRuns.readAhead(other.runId);
  test.trouble.isBroken = false;
  expect([await test.wordsOf(run), await test.wordsOf(other)]).toEqual([['one'], ['two']]);
  expect(test.reads).toEqual([run.runId, other.runId, other.runId]);
});

it('what a run comes to later is told', async () => {
  await using test = await stage();
  const run = await test.start('one');
  await test.wordsOf(run);
  await test.say(run, 'after all');
  expect(await test.wordsOf(run)).toEqual(['one', 'after all']);
});

it('what is written while a run is gone through is told to whoever asks next', async () => {
  await using test = await stage();
  const run = await test.start('one');
  const early = test.wordsOf(run);
  await test.say(run, 'meanwhile');
  await early;
  expect(await test.wordsOf(run)).toEqual(['one', 'meanwhile']);
});

it('when something was archived, every run is gone through again', async () => {
  await using test = await stage();
  const run = await test.start('one');
  await test.wordsOf(run);
  await test.journal.append([{ kind: 'journal.archived', actor: 'gateway', payload: {} }]);
  await test.wordsOf(run);
  expect(test.reads).toEqual([run.runId, run.runId]);
});

it('a run that could not be read is not taken for one without words', async () => {
  await using test = await stage();
  const run = await test.start('one');
  test.trouble.isBroken = true;
  await expect(test.wordsOf(run)).rejects.toMatchObject({ code: 'JOURNAL_CORRUPT' });
  test.trouble.isBroken = false;
  expect(await test.wordsOf(run)).toEqual(['one']);
});

it('runs of four mebibytes together are kept, and those that were asked for last', async () => {
  await using test = await stage();
  const long = 'x'.repeat(1.2 * MEBIBYTE);
  const [first, second, third] = [
    await test.start(`1${long}`),
    await test.start(`2${long}`),
    await test.start(`3${long}`),
  ];
  for (const run of [first, second, third, first]) await test.wordsOf(run);
  expect(test.reads).toHaveLength(3);
  await test.wordsOf(await test.start(`4${long}`));
  await test.wordsOf(first);
  expect(test.reads).toHaveLength(4);
  await test.wordsOf(second);
  expect(test.reads).toHaveLength(5);
});
