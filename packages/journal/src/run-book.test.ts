import { cpSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { RunId, SessionId } from '@palyra/kernel';
import { RunStatus } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { draft, fill, message, started, TempJournal } from '../test/temp-journal.ts';
import { type Journal, verifyStore } from './index.ts';

const COMPLETED = { status: 'RUN_STATUS_COMPLETED' };

interface Told {
  readonly runId: RunId;
  readonly sessionId: SessionId;
}

function newRun(temp: TempJournal): Told {
  return { runId: temp.ids.next<'run'>(), sessionId: temp.ids.next<'session'>() };
}

/** How far the tables have been brought, read behind the journal's back. */
function broughtTo(temp: TempJournal): number {
  using database = new DatabaseSync(temp.places.storeFile, { readOnly: true });
  return Number(database.prepare('SELECT sequence AS s FROM projection').get()?.['s']);
}

/** Everything that a daemon leaves behind when it dies here and now. */
function crash(temp: TempJournal): TempJournal {
  const copy = new TempJournal();
  cpSync(temp.home, copy.home, { recursive: true });
  return copy;
}

async function tell(journal: Journal, run: Told, calls: number): Promise<void> {
  await journal.append([draft('run.started', run, started)]);
  const one = [message('thinking', run), draft('tool.finished', run)];
  for (let call = 0; call < calls; call += 1) await journal.append(one);
}

describe('the entries of a run', () => {
  it('are all found and no others, while others are written between and behind them', async () => {
    using temp = new TempJournal();
    const run = newRun(temp);
    const sequencesOf = async (journal: Journal, after = 0) =>
      (await journal.page({ after, limit: 100, runId: run.runId })).map(({ sequence }) => sequence);
    {
      await using journal = await temp.open();
      await tell(journal, run, 1);
      await journal.append(Array.from({ length: 50 }, () => message('filler')));
      expect(await sequencesOf(journal)).toEqual([1, 2, 3]);
      expect(await sequencesOf(journal, 3)).toEqual([]);
      await journal.append([message('again', run), message('filler')]);
      expect(await sequencesOf(journal, 3)).toEqual([54]);
      await fill(journal);
      await journal.append([message('late', run)]);
      expect(await sequencesOf(journal)).toEqual([1, 2, 3, 54, 4152]);
    }
    await using reopened = await temp.open();
    expect(await sequencesOf(reopened)).toEqual([1, 2, 3, 54, 4152]);
    await reopened.append([message('filler'), message('last', run)]);
    expect(await sequencesOf(reopened, 54)).toEqual([4152, 4154]);
  });
});

describe('a run that waits', () => {
  it('is under way from the first on, and stays in its place when it begins', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const [waiting, other] = [newRun(temp), newRun(temp)];
    await journal.append([draft('run.queued', waiting, started)]);
    await journal.append([draft('run.started', other, started)]);
    expect((await journal.runs.get(waiting.runId))?.status).toBe(RunStatus.QUEUED);
    expect((await journal.runs.active()).map(({ runId }) => runId)).toEqual([
      waiting.runId,
      other.runId,
    ]);
    await fill(journal);
    expect(await journal.runs.active()).toHaveLength(2);
    await journal.append([draft('run.started', waiting, started)]);
    const [newest, oldest] = await journal.runs.list({ limit: 9 });
    expect([newest?.runId, oldest?.runId]).toEqual([other.runId, waiting.runId]);
    expect(oldest?.status).toBe(RunStatus.ACTIVE);
  });
});

describe('runs', () => {
  it('are listed before one of them, whether the tables have it yet or not', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const { sessionId } = newRun(temp);
    const runs = Array.from({ length: 4 }, () => ({ ...newRun(temp), sessionId }));
    await journal.append(runs.map((run) => draft('run.started', run, started)));
    const [first, second, third] = runs.map(({ runId }) => runId);
    if (third === undefined) throw new TypeError('there are four');
    for (const where of ['before', 'in'] as const) {
      if (where === 'in') await fill(journal);
      const found = await journal.runs.list({ limit: 9, sessionId, before: third });
      expect(found.map(({ runId }) => runId)).toEqual([second, first]);
      expect(await journal.runs.list({ limit: 9, before: temp.ids.next<'run'>() })).toEqual([]);
    }
  });

  it('of one principal are found among those of others, whether the tables have them or not', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const { sessionId } = newRun(temp);
    const runs = Array.from({ length: 6 }, () => ({ ...newRun(temp), sessionId }));
    const principals = ['token:ci', 'user:ada', 'user:ada', 'token:ci', 'user:ada', 'user:ada'];
    await journal.append(
      runs.map((run, place) =>
        draft('run.started', run, { ...started, principal: principals[place] ?? '' }),
      ),
    );
    const own = [runs[3]?.runId, runs[0]?.runId];
    for (const where of ['before', 'in'] as const) {
      if (where === 'in') await fill(journal);
      for (const within of [{}, { sessionId }]) {
        const found = await journal.runs.list({ limit: 2, principal: 'token:ci', ...within });
        expect(found.map(({ runId }) => runId)).toEqual(own);
      }
      expect(await journal.runs.list({ limit: 9, principal: 'token:other' })).toEqual([]);
      expect(await journal.runs.list({ limit: 9 })).toHaveLength(6);
    }
  });

  it('are told truly right after an append, while the tables lag behind', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const [first, second] = [newRun(temp), newRun(temp)];
    await tell(journal, first, 3);
    await tell(journal, second, 1);
    expect(broughtTo(temp)).toBe(0);
    expect(await journal.runs.get(first.runId)).toMatchObject({ toolCalls: 3, endedAt: '' });
    expect((await journal.runs.list({ limit: 9 })).map(({ runId }) => runId)).toEqual([
      second.runId,
      first.runId,
    ]);
    expect(await journal.runs.list({ limit: 1 })).toMatchObject([{ runId: second.runId }]);
    const { sessionId } = first;
    expect(await journal.runs.list({ limit: 9, sessionId })).toMatchObject([{ sessionId }]);
    await journal.append([draft('run.ended', first, COMPLETED)]);
    expect(await journal.runs.active()).toMatchObject([{ runId: second.runId }]);
    expect(await journal.page({ after: 0, limit: 99, runId: first.runId })).toHaveLength(8);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
  });

  it('are told the same before and after the tables were brought up', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const run = newRun(temp);
    const before = newRun(temp);
    await tell(journal, before, 2);
    await tell(journal, run, 2);
    await fill(journal);
    await journal.append([draft('tool.finished', run)]);
    expect(broughtTo(temp)).toBe(4106);
    await journal.append([draft('run.ended', run, COMPLETED)]);
    const expected = { toolCalls: 3, status: RunStatus.COMPLETED, prompt: 'list the files' };
    expect(await journal.runs.get(run.runId)).toMatchObject(expected);
    expect(await journal.runs.list({ limit: 1 })).toMatchObject([expected]);
    expect(await journal.runs.active()).toMatchObject([{ runId: before.runId, toolCalls: 2 }]);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
  });

  it('are read again from the entries after a crash', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const run = newRun(temp);
    await tell(journal, run, 2);
    for (const calls of [1, 1024, 1024, 1024, 1024, 1]) {
      await journal.append(Array.from({ length: calls }, () => draft('tool.finished', run)));
      using copy = crash(temp);
      expect(await verifyStore(copy.places)).toMatchObject({ verdict: 'intact' });
      {
        await using reopened = await copy.open();
        expect(await reopened.runs.get(run.runId)).toEqual(await journal.runs.get(run.runId));
        expect(await reopened.runs.active()).toEqual(await journal.runs.active());
      }
      expect(broughtTo(copy)).toBe(journal.tip().sequence);
      expect(await verifyStore(copy.places)).toMatchObject({ verdict: 'intact' });
    }
  });

  it('are told as they were acknowledged after a write has failed', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const run = newRun(temp);
    await tell(journal, run, 2);
    rmSync(temp.places.storeFile);
    const late = [draft('tool.finished', run), draft('run.ended', run, COMPLETED)];
    await expect(journal.append(late)).rejects.toThrow(
      expect.objectContaining({ code: 'JOURNAL_UNWRITABLE' }),
    );
    expect(await journal.runs.get(run.runId)).toMatchObject({ toolCalls: 2, endedAt: '' });
    expect(await journal.runs.active()).toMatchObject([{ runId: run.runId }]);
  });

  it('are in the tables once the journal is closed', async () => {
    using temp = new TempJournal();
    const journal = await temp.open();
    await tell(journal, newRun(temp), 2);
    const { sequence } = journal.tip();
    await journal[Symbol.asyncDispose]();
    expect(broughtTo(temp)).toBe(sequence);
  });

  it('are listed with the beginning of their prompt, and shown with all of it', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const run = newRun(temp);
    const prompt = '🜚'.repeat(600);
    await journal.append([draft('run.started', run, { ...started, prompt })]);
    const cut = { prompt: '🜚'.repeat(501) };
    expect(await journal.runs.list({ limit: 9 })).toMatchObject([cut]);
    await fill(journal);
    await journal.append([message('after it')]);
    expect(await journal.runs.list({ limit: 9 })).toMatchObject([cut]);
    expect(await journal.runs.get(run.runId)).toMatchObject({ prompt });
    expect(await journal.runs.active()).toMatchObject([{ prompt }]);
  });

  it('are not guessed when it is not known how far the tables have been brought', async () => {
    for (const sql of [
      'DELETE FROM projection',
      "INSERT INTO projection VALUES (1, '')",
      'UPDATE projection SET sequence = 99',
      'UPDATE projection SET sequence = -20000',
    ]) {
      using temp = new TempJournal();
      const journal = await temp.open();
      await tell(journal, newRun(temp), 2);
      await journal[Symbol.asyncDispose]();
      using database = new DatabaseSync(temp.places.storeFile);
      database.exec(sql);
      expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'broken' });
      await expect(temp.open()).rejects.toThrow(
        expect.objectContaining({ code: 'JOURNAL_CORRUPT' }),
      );
    }
  });
});
