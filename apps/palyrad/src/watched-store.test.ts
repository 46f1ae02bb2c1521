import { type EntryDraft, PalyraError } from '@palyra/kernel';
import { testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import {
  type Store as StoreOf,
  type WatchedStore as WatchedStoreOf,
  watchStore,
} from './watched-store.ts';

const NOTE: EntryDraft = { kind: 'daemon.stopped', actor: 'gateway', payload: { reason: 'test' } };

type Records = Awaited<ReturnType<typeof testGateway>>['journal']['records'];
type Store = StoreOf<Records>;
type WatchedStore = WatchedStoreOf<Records>;

/** The store with some of its parts exchanged. */
function withParts(store: Store, parts: Partial<Store>): Store {
  const own: Store = {
    append: (drafts) => store.append(drafts),
    tip: () => store.tip(),
    find: (id) => store.find(id),
    page: (query) => store.page(query),
    list: (query) => store.list(query),
    subscribe: (listener) => store.subscribe(listener),
    exportLines: (...from) => store.exportLines(...from),
    archive: (...from) => store.archive(...from),
    records: store.records,
    runs: store.runs,
    activity: store.activity,
  };
  return { ...own, ...parts };
}

async function* brokenLines(fault: PalyraError): AsyncGenerator<never, void, undefined> {
  yield* [];
  await Promise.reject(fault);
}

describe('a store that is watched', () => {
  it('is the journal', async () => {
    await using test = await testGateway();
    const { journal: watched } = watchStore(test.journal, () => expect.unreachable());
    const [entry] = await watched.append([NOTE]);
    expect(watched.tip()).toEqual({ sequence: 1, hash: entry?.hash });
    expect(await watched.find(1)).toMatchObject({ sequence: 1 });
    expect(await watched.page({ after: 0, limit: 9 })).toHaveLength(1);
    expect((await watched.list({ limit: 9 })).entries).toHaveLength(1);
    expect(await Array.fromAsync(watched.exportLines({}))).toHaveLength(3);
    expect(await watched.archive(1, 'user:ada')).toEqual({ segments: [] });
  });

  it('tells once that it cannot be written, and still refuses', async () => {
    await using test = await testGateway();
    const told: string[] = [];
    const fault = new PalyraError('JOURNAL_UNWRITABLE', 'the disk of the store is full');
    const { records } = test.journal;
    const full = withParts(test.journal, {
      append: () => Promise.reject(fault),
      records: { ...records, transact: () => Promise.reject(fault) },
    });
    const watched = watchStore(full, ({ message }) => told.push(message));
    await expect(watched.journal.append([NOTE])).rejects.toBe(fault);
    await expect(watched.records.transact({ writes: [], entries: [] })).rejects.toBe(fault);
    expect(told).toEqual(['the disk of the store is full']);
  });

  it('refuses every write once something that was read of it was damaged', async () => {
    const fault = new PalyraError('JOURNAL_CORRUPT', 'the store is damaged');
    const broken = () => Promise.reject(fault);
    const reads = [
      (store: WatchedStore) => store.journal.find(1),
      (store: WatchedStore) => store.journal.page({ after: 0, limit: 9 }),
      (store: WatchedStore) => store.journal.list({ limit: 9 }),
      (store: WatchedStore) => Array.fromAsync(store.journal.exportLines({})),
      (store: WatchedStore) => store.records.list('members', { limit: 9 }),
      (store: WatchedStore) => store.runs.active(),
      (store: WatchedStore) => store.activity.hours(new Date(0)),
    ];
    for (const read of reads) {
      await using test = await testGateway();
      const { records, runs, activity } = test.journal;
      const damaged = withParts(test.journal, {
        find: broken,
        page: broken,
        list: broken,
        exportLines: () => brokenLines(fault),
        records: { ...records, list: broken },
        runs: { ...runs, active: broken },
        activity: { ...activity, hours: broken },
      });
      const told: string[] = [];
      const watched = watchStore(damaged, ({ code }) => told.push(code));
      await watched.journal.append([NOTE]);
      await expect(read(watched)).rejects.toBe(fault);
      await expect(watched.journal.append([NOTE])).rejects.toBe(fault);
      await expect(read(watched)).rejects.toBe(fault);
      expect(told).toEqual(['JOURNAL_CORRUPT']);
      expect(watched.journal.tip().sequence).toBe(1);
    }
  });

  it('goes on after a read that failed for the moment', async () => {
    await using test = await testGateway();
    const fault = new PalyraError('JOURNAL_UNWRITABLE', 'the disk of the store reports errors');
    const parts = { find: () => Promise.reject(fault), exportLines: () => brokenLines(fault) };
    const watched = watchStore(withParts(test.journal, parts), () => expect.unreachable());
    await expect(watched.journal.find(1)).rejects.toBe(fault);
    await expect(Array.fromAsync(watched.journal.exportLines({}))).rejects.toBe(fault);
    expect(await watched.journal.append([NOTE])).toHaveLength(1);
  });

  it('keeps to itself what one entry did wrong', async () => {
    await using test = await testGateway();
    const { journal: watched } = watchStore(test.journal, () => expect.unreachable());
    const large = { ...NOTE, payload: { reason: 'x'.repeat(5_000_000) } };
    await expect(watched.append([large])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
