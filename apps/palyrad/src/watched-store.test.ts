import { type EntryDraft, PalyraError } from '@palyra/kernel';
import { testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { watchStore } from './watched-store.ts';

const NOTE: EntryDraft = { kind: 'daemon.stopped', actor: 'gateway', payload: { reason: 'test' } };

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
    expect(await watched.archive(1, 'user:ada')).toEqual([]);
  });

  it('tells once that it cannot be written, and still refuses', async () => {
    await using test = await testGateway();
    const told: string[] = [];
    const fault = new PalyraError('JOURNAL_UNWRITABLE', 'the disk of the store is full');
    const { journal, records } = watchStore(test.journal, () => {});
    const full = {
      ...journal,
      append: () => Promise.reject(fault),
      records: { ...records, transact: () => Promise.reject(fault) },
    };
    const watched = watchStore(full, ({ message }) => told.push(message));
    await expect(watched.journal.append([NOTE])).rejects.toBe(fault);
    await expect(watched.records.transact()).rejects.toBe(fault);
    expect(told).toEqual(['the disk of the store is full']);
  });

  it('keeps to itself what one entry did wrong', async () => {
    await using test = await testGateway();
    const { journal: watched } = watchStore(test.journal, () => expect.unreachable());
    const large = { ...NOTE, payload: { reason: 'x'.repeat(5_000_000) } };
    await expect(watched.append([large])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
