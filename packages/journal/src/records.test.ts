import { DatabaseSync } from 'node:sqlite';
import { fromJson } from '@bufbuild/protobuf';
import type { EntryDraft } from '@palyra/kernel';
import { RecordsChangedSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { message, TempJournal } from '../test/temp-journal.ts';
import { type Journal, type RecordWrite, verifyStore } from './index.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });
const why = message('why');
const body = (name: string) => ({ name });

function write(id: string, expectedVersion: number, name?: string): RecordWrite {
  const changed = name === undefined ? undefined : body(name);
  return { table: 'devices', id, expectedVersion, body: changed };
}

async function put(journal: Journal, ...writes: RecordWrite[]): Promise<number> {
  const sealed = await journal.records.transact({ writes, entries: [why] });
  return sealed.at(-1)?.sequence ?? 0;
}

describe('records', () => {
  it('are read as they were written, also after the journal was opened anew', async () => {
    using temp = new TempJournal();
    let version = 0;
    {
      await using journal = await temp.open();
      version = await put(journal, write('b', 0, 'two'), write('a', 0, 'one'));
    }
    await using journal = await temp.open();
    expect(await journal.records.get('devices', 'a')).toEqual({
      id: 'a',
      version,
      body: body('one'),
    });
    expect(await journal.records.get('devices', 'c')).toBeUndefined();
    expect(await journal.records.get('tokens', 'a')).toBeUndefined();
    expect(await journal.records.count('devices')).toBe(2);
    expect(await journal.records.count('tokens')).toBe(0);
  });

  it('are listed by id, page after page', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const ids = ['B', 'a', 'b', 'c:1', 'c:10', 'c:2'];
    for (const id of ids.toReversed()) await put(journal, write(id, 0, id));
    const first = await journal.records.list('devices', { limit: 4 });
    expect(first.map(({ id }) => id)).toEqual(['B', 'a', 'b', 'c:1']);
    const rest = await journal.records.list('devices', { after: 'c:1', limit: 5000 });
    expect(rest.map(({ id }) => id)).toEqual(['c:10', 'c:2']);
    expect(await journal.records.list('devices', { after: 'c:2', limit: 4 })).toEqual([]);
  });

  it('are listed backwards, page before page', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    for (const id of ['a', 'b', 'c', 'd']) await put(journal, write(id, 0, id));
    const newest = await journal.records.list('devices', { before: '~', limit: 2 });
    expect(newest.map(({ id }) => id)).toEqual(['d', 'c']);
    const rest = await journal.records.list('devices', { before: 'c', limit: 5000 });
    expect(rest.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(await journal.records.list('devices', { before: 'a', limit: 2 })).toEqual([]);
  });

  it('are told of by an entry beside those of the caller, with the digest of each body', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const heard: string[] = [];
    using _listening = journal.subscribe((entries) => heard.push(...entries.map((e) => e.kind)));
    const version = await put(journal, write('a', 0, 'one'));
    expect(heard).toEqual(['model.message', 'records.changed']);
    const entry = await journal.find(version);
    expect(entry?.actor).toBe('principal:local');
    const told = fromJson(RecordsChangedSchema, { ...entry?.payload });
    expect(told.changes).toMatchObject([
      {
        table: 'devices',
        id: 'a',
        version: 2n,
        // Of the text {"name":"one"}.
        digest: 'af6bf43bb7b4c96ee01f4c4b676ca365b4a0148cb1f60e5a81e0f354e772282c',
      },
    ]);
  });

  it('that somebody else has changed are not changed, and nothing is appended', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const version = await put(journal, write('a', 0, 'one'));
    const { sequence } = journal.tip();
    const revision = journal.records.revision('devices');
    for (const stale of [write('a', 0, 'x'), write('a', version - 1, 'x'), write('b', 7)]) {
      const change = put(journal, write('new', 0, 'x'), stale);
      await expect(change).rejects.toThrow(code('CONFLICT'));
    }
    expect(journal.tip().sequence).toBe(sequence);
    expect(journal.records.revision('devices')).toBe(revision);
    expect(await journal.records.get('devices', 'new')).toBeUndefined();
    await put(journal, write('a', version, 'two'));
    expect(await journal.records.get('devices', 'a')).toMatchObject({ body: body('two') });
    expect(journal.records.revision('devices')).not.toBe(revision);
  });

  it('of each table have a revision that rises with a write to it, and with no other', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const before = ['devices', 'tokens', 'members'].map((table) => journal.records.revision(table));
    const both = [write('a', 0, 'one'), { ...write('a', 0, 'one'), table: 'tokens' }];
    await put(journal, ...both);
    const after = ['devices', 'tokens', 'members'].map((table) => journal.records.revision(table));
    expect(after.map((revision, place) => revision > (before[place] ?? 0))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('of one batch see one another, and a conflict leaves the others of it alone', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const results = await Promise.allSettled([
      put(journal, write('a', 0, 'first')),
      put(journal, write('a', 0, 'second')),
      journal.append([message('between')]),
      put(journal, write('a', 2, 'third'), write('b', 0, 'third')),
      put(journal, write('b', 0, 'fourth')),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(await journal.records.get('devices', 'a')).toMatchObject({
      version: 5,
      body: body('third'),
    });
    expect(await journal.records.get('devices', 'b')).toMatchObject({
      version: 5,
      body: body('third'),
    });
    expect(journal.tip().sequence).toBe(5);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', entries: 5 });
  });

  it('that were removed and made anew are not taken for those before', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const first = await put(journal, write('a', 0, 'one'));
    await put(journal, write('a', first));
    expect(await journal.records.get('devices', 'a')).toBeUndefined();
    const second = await put(journal, write('a', 0, 'one'));
    expect(second).toBeGreaterThan(first);
    await expect(put(journal, write('a', first, 'two'))).rejects.toThrow(code('CONFLICT'));
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
  });

  it('out of bounds are refused before anything is written', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ entry_bytes: 4096 });
    const many = Array.from({ length: 65 }, (_, at) => write(`${at}`, 0, 'x'));
    const refused: readonly RecordWrite[][] = [
      [],
      many,
      [write('a', 0, 'x'), write('a', 0, 'y')],
      [write('', 0, 'x')],
      [write('a b', 0, 'x')],
      [write('ä', 0, 'x')],
      [write('x'.repeat(129), 0, 'x')],
      [write('a', 0)],
      [write('a', -1, 'x')],
      [write('a', 1.5, 'x')],
      [write('a', 0, 'x'.repeat(4096))],
      [write('a', 0, '\ud800')],
      [{ ...write('a', 0, 'x'), table: 'Devices' }],
    ];
    for (const writes of refused) {
      await expect(put(journal, ...writes)).rejects.toThrow(code('INVALID_INPUT'));
    }
    const mute = journal.records.transact({ writes: [write('a', 0, 'x')], entries: [] });
    await expect(mute).rejects.toThrow(code('INVALID_INPUT'));
    expect(journal.tip().sequence).toBe(0);
  });

  it('up to the bounds are taken', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const many = Array.from({ length: 64 }, (_, at) => write(`${at}`.padEnd(128, '~'), 0, 'x'));
    expect(await put(journal, ...many)).toBe(2);
    expect(await journal.records.count('devices')).toBe(64);
  });

  it('cannot be told of by anybody but the journal', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const forged: EntryDraft = { ...why, kind: 'records.changed', payload: { changes: [] } };
    await expect(journal.append([forged])).rejects.toThrow(code('INVALID_INPUT'));
    const change = { writes: [write('a', 0, 'x')], entries: [forged] };
    await expect(journal.records.transact(change)).rejects.toThrow(code('INVALID_INPUT'));
  });

  it('are refused after the journal was closed', async () => {
    using temp = new TempJournal();
    const journal = await temp.open();
    await journal[Symbol.asyncDispose]();
    await expect(put(journal, write('a', 0, 'x'))).rejects.toThrow(code('SHUTTING_DOWN'));
  });
});

describe('records behind the back of the journal', () => {
  const tricks: readonly (readonly [string, string])[] = [
    ['changed', `UPDATE records SET body = '{"name":"six"}' WHERE id = 'a'`],
    ['given another version', `UPDATE records SET version = version - 1 WHERE id = 'a'`],
    ['moved', `UPDATE records SET id = 'z' WHERE id = 'a'`],
    ['moved to another table', `UPDATE records SET table_name = 'tokens' WHERE id = 'a'`],
    ['removed', `DELETE FROM records WHERE id = 'a'`],
    ['added', `INSERT INTO records VALUES ('devices', 'c', 2, '{}')`],
    ['brought back', `INSERT INTO records VALUES ('devices', 'gone', 2, '{"name":"x"}')`],
  ];

  it.each(tricks)('are found when they were %s', async (_what, sql) => {
    using temp = new TempJournal();
    await fill(temp);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
    trick(temp, sql);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'broken' });
  });

  it.each(tricks)(
    'are found when they were %s and their entries are archived',
    async (_what, sql) => {
      using temp = new TempJournal();
      await fill(temp);
      trick(temp, sql);
      {
        await using journal = await temp.open({ segment_bytes: 4096 });
        await journal.append([message('x'.repeat(3000)), message('x'.repeat(3000))]);
        expect((await journal.archive(1000, 'user:ada')).segments).toHaveLength(1);
      }
      expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'broken' });
    },
  );

  it.each([
    ['removed', `DELETE FROM records WHERE id = 'a'`, 0],
    [
      'put back as it was',
      `UPDATE records SET version = 2, body = '{"name":"one"}' WHERE id = 'a'`,
      2,
    ],
    ['changed under its version', `UPDATE records SET body = '{"name":"one"}' WHERE id = 'a'`, 4],
  ])('are found when one was %s, also once it was written anew', async (_what, sql, version) => {
    using temp = new TempJournal();
    {
      await using journal = await temp.open();
      const first = await put(journal, write('a', 0, 'one'));
      await put(journal, write('a', first, 'two'));
    }
    trick(temp, sql);
    await using journal = await temp.open();
    const sequence = await put(journal, write('a', version, 'three'));
    expect(await verifyStore(temp.places)).toMatchObject({
      verdict: 'broken',
      fault: { sequence, reason: expect.stringContaining('record `a` of `devices` was changed') },
    });
  });

  it('are found when one was planted after an archive, also once it was written anew', async () => {
    using temp = new TempJournal();
    await fill(temp);
    {
      await using journal = await temp.open({ segment_bytes: 4096 });
      await journal.append([message('x'.repeat(3000)), message('x'.repeat(3000))]);
      expect((await journal.archive(1000, 'user:ada')).segments).toHaveLength(1);
    }
    trick(temp, `INSERT INTO records VALUES ('devices', 'gone', 2, '{"name":"x"}')`);
    await using journal = await temp.open();
    const sequence = await put(journal, write('gone', 2, 'y'));
    expect(await verifyStore(temp.places)).toMatchObject({
      verdict: 'broken',
      fault: { sequence },
    });
  });

  it('can be told from honest ones after their entries are archived, however often', async () => {
    using temp = new TempJournal();
    await fill(temp);
    await using journal = await temp.open({ segment_bytes: 4096 });
    for (let round = 0; round < 3; round += 1) {
      await journal.append([message('x'.repeat(3000)), message('x'.repeat(3000))]);
      const [archived] = await Promise.all([
        journal.archive(1000, 'user:ada'),
        put(journal, write(`while-${round}`, 0, 'archiving')),
      ]);
      expect(archived.segments).toHaveLength(1);
      expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
    }
    expect(await journal.records.count('devices')).toBe(5);
  });
});

async function fill(temp: TempJournal): Promise<void> {
  await using journal = await temp.open();
  const version = await put(
    journal,
    write('a', 0, 'one'),
    write('b', 0, 'two'),
    write('gone', 0, 'x'),
  );
  await put(journal, write('gone', version));
}

function trick(temp: TempJournal, sql: string): void {
  using database = new DatabaseSync(temp.places.storeFile);
  database.exec(sql);
}
