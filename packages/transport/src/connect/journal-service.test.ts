import { type EntryDraft, decodeEntry, sha256, verifyExport } from '@palyra/kernel';
import type { JournalRecord } from '@palyra/protocol';
import { inProcessClient, talkingModel, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';

const NOTE: EntryDraft = { kind: 'daemon.stopped', actor: 'gateway', payload: { reason: 'test' } };
const invalid = { code: 'INVALID_INPUT' };

function sequenceOf({ canonical, hash }: JournalRecord): number | undefined {
  return decodeEntry(new Uint8Array(canonical), hash)?.sequence;
}

describe('the journal over the wire', () => {
  it('is listed newest first, in pages and by filters', async () => {
    await using test = await testGateway();
    const { journal } = inProcessClient(test.gateway);
    const entries = await test.journal.append([NOTE, { ...NOTE, actor: 'user:ada' }, NOTE]);
    const first = await journal.listEntries({ limit: 2 });
    expect(first.records.map(sequenceOf)).toEqual([3, 2]);
    expect(first).toMatchObject({ searchedTo: 2n, isEnd: false, newestSequence: 3n });
    expect(first.records[0]?.hash).toBe(entries[2]?.hash);
    const rest = await journal.listEntries({ beforeSequence: first.searchedTo });
    expect(rest.records.map(sequenceOf)).toEqual([1]);
    expect(rest.isEnd).toBe(true);
    const found = async (filter: Parameters<typeof journal.listEntries>[0]) =>
      (await journal.listEntries(filter)).records.map(sequenceOf);
    expect(await found({ actor: 'user:ada' })).toEqual([2]);
    expect(await found({ kinds: ['daemon.'], text: 'USER:' })).toEqual([2]);
    expect(await found({ kinds: ['run.'] })).toEqual([]);
    expect(await found({ since: '2000-01-01T00:00:00Z' })).toEqual([3, 2, 1]);
    expect(await found({ until: '2000-01-01T00:00:00Z' })).toEqual([]);
  });

  it.each([
    [{ limit: 501 }],
    [{ kinds: ['tool'] }],
    [{ kinds: ['nothing.'] }],
    [{ kinds: Array.from({ length: 33 }, () => 'tool.') }],
    [{ text: 'x'.repeat(257) }],
    [{ runId: 'x' }],
    [{ since: 'yesterday' }],
  ])('refuses %o', async (request) => {
    await using test = await testGateway();
    const { journal } = inProcessClient(test.gateway);
    await expect(journal.listEntries(request)).rejects.toMatchObject(invalid);
  });

  it('is searched twice at once by one person, and no more', async () => {
    await using test = await testGateway();
    const { journal } = inProcessClient(test.gateway);
    await test.journal.append(Array.from({ length: 1_000 }, () => NOTE));
    const search = () => journal.listEntries({ text: 'needle' });
    const outcomes = await Promise.allSettled([search(), search(), search()]);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      {
        reason: {
          code: 'OVERLOADED',
          message: '2 searches of yours are under way already',
          help: 'try again when that has ended',
        },
      },
    ]);
    const pages = Array.from({ length: 9 }, () => journal.listEntries({ limit: 1 }));
    await expect(Promise.all([...pages, search()])).resolves.toHaveLength(10);
  });

  it('is watched: notes of what is new', async () => {
    await using test = await testGateway();
    const { journal } = inProcessClient(test.gateway);
    await test.journal.append([NOTE, NOTE]);
    const gone = new AbortController();
    const watching = journal.watchEntries({ afterSequence: 1n }, { signal: gone.signal });
    const notes = watching[Symbol.asyncIterator]();
    expect((await notes.next()).value).toMatchObject({ sequence: 1n, kind: '', resync: false });
    const { value: note } = await notes.next();
    expect(note).toMatchObject({
      sequence: 2n,
      kind: 'daemon.stopped',
      actor: 'gateway',
      runId: '',
    });
    gone.abort();
    await expect(notes.next()).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('is exported in part, as lines that verify', async () => {
    await using test = await testGateway();
    const { journal } = inProcessClient(test.gateway);
    await test.journal.append([NOTE, NOTE, NOTE, NOTE]);
    async function* lines(request: Parameters<typeof journal.exportJournal>[0]) {
      for await (const { line } of journal.exportJournal(request)) yield line;
    }
    const part = lines({ fromSequence: 2n, toSequence: 3n });
    expect(await verifyExport(part, { sha256 })).toMatchObject({
      verdict: 'intact',
      firstSequence: 2,
      lastSequence: 3,
    });
    const runId = test.parts.ids.next<'run'>();
    const both = lines({ fromSequence: 2n, runId });
    await expect(Array.fromAsync(both)).rejects.toMatchObject(invalid);
    const backwards = lines({ fromSequence: 3n, toSequence: 2n });
    await expect(Array.fromAsync(backwards)).rejects.toMatchObject(invalid);
  });
});

describe('activity over the wire', () => {
  it('is what runs left in the journal', async () => {
    const call = { kind: 'tool-call', tool: 'fs.read', argumentsJson: '{}' } as const;
    await using test = await testGateway({ model: talkingModel([call]) });
    const { activity, runs } = inProcessClient(test.gateway);
    await Array.fromAsync(runs.startRun({ prompt: 'hello' }));
    const since = test.parts.clock.now().toISOString();
    const { slots } = await activity.getActivity({ since, slotSeconds: 86_400 });
    expect(slots.at(0)).toMatchObject({ runs: 1n, callsDenied: 1n, callsAllowed: 0n });
    const { rules } = await activity.getRuleActivity({});
    expect(rules).toMatchObject([{ ruleId: 'test-rule', count: 1n }]);
    for (const request of [{ since, slotSeconds: 60 }, { slotSeconds: 3_600 }]) {
      await expect(activity.getActivity(request)).rejects.toMatchObject(invalid);
    }
    await expect(activity.getRuleActivity({ days: 31 })).rejects.toMatchObject(invalid);
  });
});
