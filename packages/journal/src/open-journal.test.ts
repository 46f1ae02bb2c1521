import { createIds, type SealedEntry, sha256Hex } from '@palyra/kernel';
import { RunStatus } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { draft, message, started, TempJournal } from '../test/temp-journal.ts';
import { verifyStore } from './index.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('appending', () => {
  it('gives each entry the next sequence, a rising id and the hash of the one before', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const [first] = await journal.append([message('one')]);
    const [second, third] = await journal.append([message('two'), message('three')]);
    expect([first?.sequence, second?.sequence, third?.sequence]).toEqual([1, 2, 3]);
    expect(first?.previousHash).toBe('0'.repeat(64));
    expect(second?.previousHash).toBe(first?.hash);
    expect(third?.previousHash).toBe(sha256Hex(second?.canonical ?? new Uint8Array()));
    expect(journal.tip()).toEqual({ sequence: 3, hash: third?.hash });
  });

  it('keeps what is appended at the same time in the order of the calls', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ batch_entries: 7 });
    const calls = Array.from({ length: 50 }, (_, at) =>
      journal.append([message(`${at}a`), message(`${at}b`)]),
    );
    const entries = (await Promise.all(calls)).flat();
    expect(entries.map((entry) => entry.sequence)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1),
    );
    expect(entries.slice(0, 3).map((entry) => entry.payload['text'])).toEqual(['0a', '0b', '1a']);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', entries: 100 });
  });

  it('goes on after the last entry when the journal is opened again', async () => {
    using temp = new TempJournal();
    {
      await using journal = await temp.open();
      await journal.append([message('one')]);
    }
    await using journal = await temp.open();
    const [entry] = await journal.append([message('two')]);
    expect(entry?.sequence).toBe(2);
  });

  it('tells listeners once entries can be found, in order, until they leave', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const heard: number[] = [];
    const tips: number[] = [];
    const subscription = journal.subscribe((entries: readonly SealedEntry[]) => {
      heard.push(...entries.map((entry) => entry.sequence));
      tips.push(journal.tip().sequence);
    });
    await journal.append([message('one'), message('two')]);
    await journal.append([message('three')]);
    subscription[Symbol.dispose]();
    await journal.append([message('four')]);
    expect(heard).toEqual([1, 2, 3]);
    expect(tips).toEqual([2, 3]);
  });

  it('refuses a draft that cannot be written and writes nothing of its call', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ entry_bytes: 4096 });
    const bad = [
      message('\ud800'),
      message('x'.repeat(5000)),
      draft('run.started', { runId: temp.ids.next() }, { prompt: 5 }),
    ];
    for (const wrong of bad) {
      await expect(journal.append([message('fine'), wrong])).rejects.toThrow(code('INVALID_INPUT'));
    }
    expect(journal.tip().sequence).toBe(0);
  });

  it('refuses when too much waits, and takes entries again afterwards', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ queue_entries: 3 });
    const taken = [journal.append([message('1')]), journal.append([message('2'), message('3')])];
    await expect(journal.append([message('4')])).rejects.toThrow(code('OVERLOADED'));
    await Promise.all(taken);
    expect(await journal.append([message('5')])).toMatchObject([{ sequence: 4 }]);
  });

  it('writes what was taken before it closes, and takes nothing afterwards', async () => {
    using temp = new TempJournal();
    const journal = await temp.open();
    const taken = journal.append([message('last')]);
    await journal[Symbol.asyncDispose]();
    expect(await taken).toMatchObject([{ sequence: 1 }]);
    await expect(journal.append([message('later')])).rejects.toThrow(code('SHUTTING_DOWN'));
  });

  it('keeps ids rising when the clock has gone back over a restart', async () => {
    using temp = new TempJournal();
    const ids: string[] = [];
    for (const nowMs of [9_000_000_000_000, 1_000_000_000_000, 0]) {
      temp.nowMs = nowMs;
      const fresh = createIds(temp.clock);
      Object.assign(temp, { ids: fresh });
      await using journal = await temp.open();
      const [entry] = await journal.append([message('tick')]);
      ids.push(entry?.id ?? '');
    }
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(3);
  });
});

describe('reading', () => {
  it('finds an entry by its id and by its sequence', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const entries = await journal.append(Array.from({ length: 33 }, (_, at) => message(`${at}`)));
    for (const entry of entries) {
      expect(await journal.find(entry.id)).toEqual(entry);
      expect(await journal.find(entry.sequence)).toEqual(entry);
    }
    expect(await journal.find(temp.ids.next<'entry'>())).toBeUndefined();
    expect(await journal.find(34)).toBeUndefined();
    expect(await journal.find(0)).toBeUndefined();
  });

  it('pages upwards, also through the entries of one run', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const runs = [temp.ids.next<'run'>(), temp.ids.next<'run'>()] as const;
    await journal.append(
      Array.from({ length: 30 }, (_, at) =>
        message(`${at}`, { runId: runs[at % 3 === 0 ? 0 : 1] }),
      ),
    );
    const sequences = async (query: Parameters<typeof journal.page>[0]) =>
      (await journal.page(query)).map((entry) => entry.sequence);
    expect(await sequences({ after: 27, limit: 10 })).toEqual([28, 29, 30]);
    expect(await sequences({ after: 30, limit: 10 })).toEqual([]);
    expect(await sequences({ after: 4, limit: 3, runId: runs[0] })).toEqual([7, 10, 13]);
    expect(await sequences({ after: 25, limit: 9, runId: runs[0] })).toEqual([28]);
    expect(await sequences({ after: 0, limit: 9, runId: temp.ids.next<'run'>() })).toEqual([]);
  });

  it('does not mistake what a payload says for the run of an entry', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const runId = temp.ids.next<'run'>();
    await journal.append([message('start', { runId })]);
    await journal.append([
      { kind: 'tool.attested', actor: 'gateway', payload: { runId, sequence: '1' } },
      {
        kind: 'tool.attested',
        actor: 'gateway',
        payload: { z: `"runId":"${runId}","sequence":"` },
      },
    ]);
    await journal.append([message('end', { runId })]);
    const page = await journal.page({ after: 0, limit: 10, runId });
    expect(page.map((entry) => entry.sequence)).toEqual([1, 4]);
  });
});

describe('runs', () => {
  it('are told by their entries', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const run = { runId: temp.ids.next<'run'>(), sessionId: temp.ids.next<'session'>() };
    await journal.append([draft('run.started', run, started)]);
    expect(await journal.runs.active()).toMatchObject([
      { ...run, ...started, status: RunStatus.ACTIVE },
    ]);
    await journal.append([draft('tool.finished', run), draft('tool.finished', run)]);
    await journal.append([draft('run.interrupted', run, { reason: 'crash' })]);
    expect(await journal.runs.get(run.runId)).toMatchObject({
      status: RunStatus.INTERRUPTED,
      toolCalls: 2,
    });
    expect(await journal.runs.active()).toEqual([]);
    await journal.append([draft('run.resumed', run, { turns: 1 })]);
    expect(await journal.runs.get(run.runId)).toMatchObject({
      status: RunStatus.ACTIVE,
      endedAt: '',
    });
    const error = {
      code: 'ERROR_CODE_MODEL_FAILED',
      message: 'the model is gone',
      help: 'try again',
    };
    await journal.append([draft('run.ended', run, { status: 'RUN_STATUS_FAILED', error })]);
    expect(await journal.runs.get(run.runId)).toMatchObject({
      status: RunStatus.FAILED,
      error: { message: 'the model is gone' },
    });
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
  });

  it('are listed newest first, of all sessions or one', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const sessions = [temp.ids.next<'session'>(), temp.ids.next<'session'>()] as const;
    const runs = Array.from({ length: 6 }, (_, at) => ({
      runId: temp.ids.next<'run'>(),
      sessionId: sessions[at % 2 === 0 ? 0 : 1],
    }));
    for (const run of runs) await journal.append([draft('run.started', run, started)]);
    const all = await journal.runs.list({ limit: 4 });
    expect(all.map((run) => run.runId)).toEqual(
      runs
        .toReversed()
        .slice(0, 4)
        .map((run) => run.runId),
    );
    const one = await journal.runs.list({ limit: 9, sessionId: sessions[1] });
    expect(one.map((run) => run.runId)).toEqual([runs[5]?.runId, runs[3]?.runId, runs[1]?.runId]);
    expect(await journal.runs.get(temp.ids.next<'run'>())).toBeUndefined();
  });
});
