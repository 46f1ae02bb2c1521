import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parseId } from '@palyra/kernel';
import { RunStatus, StopReason } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { layOlder } from '../test/older-store.ts';
import { draft, message, started, TempJournal } from '../test/temp-journal.ts';
import { layVersion1 } from '../test/version-1.ts';
import { openDatabase } from './database.ts';
import { checkSchema, migrateStore, readVersion } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { verifyStore } from './verify-store.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });
const next = [
  ...MIGRATIONS,
  'ALTER TABLE runs ADD COLUMN label TEXT',
  'CREATE TABLE notes (text TEXT) STRICT',
];

/** A store as a released version left it: made by that version's migrations only, with entries. */
async function storeOf(temp: TempJournal, version: number): Promise<string> {
  {
    await using journal = await temp.open();
    await journal.append(Array.from({ length: 20 }, (_, at) => message(`entry ${at}`)));
  }
  migrateStore(temp.places.storeFile, next.slice(0, version));
  return temp.places.storeFile;
}

function rows(file: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const all = database.prepare('SELECT sequence, hex(canonical) FROM entries').all();
  database.close();
  return all;
}

function versionOf(file: string): number {
  using database = openDatabase({ file, mode: 'read-only' });
  return readVersion(database);
}

const OLDER = MIGRATIONS.map((_, index) => index + 1).slice(0, -1);
const RECORDS_SINCE = 2;
const REASONS_SINCE = 4;
const EVER = new Date(0);

/** One of everything that a table of that version tells of, and that its entries could say. */
async function fillTables(temp: TempJournal, version: number): Promise<void> {
  await using journal = await temp.open();
  const [ended, active] = [{ runId: temp.ids.next<'run'>() }, { runId: temp.ids.next<'run'>() }];
  const why = version < REASONS_SINCE ? {} : { stopReason: 'STOP_REASON_MONEY' };
  const usage = { inputTokens: '10', outputTokens: '5', costMicroUsd: '700' };
  await journal.append([
    draft('run.started', ended, started),
    draft('model.message', ended, { text: 'a', usage }),
    draft('tool.decided', ended, { kind: 'DECISION_KIND_ALLOW', ruleIds: ['one', 'two'] }),
    draft('tool.finished', ended, { outcome: 'TOOL_OUTCOME_FAILED' }),
    draft('approval.asked', ended),
    draft('tool.decided', ended, { kind: 'DECISION_KIND_DENY', ruleIds: ['two'] }),
    draft('run.ended', ended, { status: 'RUN_STATUS_FAILED', ...why }),
    draft('run.started', active, started),
  ]);
  const write = { table: 'devices', id: 'a', expectedVersion: 0, body: { name: 'one' } };
  if (version < RECORDS_SINCE) await journal.append([message('why')]);
  else await journal.records.transact({ writes: [write], entries: [message('why')] });
}

describe('migrating', () => {
  it.each(OLDER)(
    'brings a store of version %i to the newest with all of its tables',
    async (version) => {
      using temp = new TempJournal();
      await fillTables(temp, version);
      layOlder(temp.places.storeFile, version);
      const before = rows(temp.places.storeFile);
      expect(versionOf(temp.places.storeFile)).toBe(version);
      {
        await using journal = await temp.open();
        expect(rows(temp.places.storeFile)).toEqual(before);
        const reason = version < REASONS_SINCE ? StopReason.UNSPECIFIED : StopReason.MONEY;
        expect(await journal.runs.list({ limit: 10 })).toMatchObject([
          { status: RunStatus.ACTIVE, toolCalls: 0 },
          { status: RunStatus.FAILED, stopReason: reason },
        ]);
        const kept = version < RECORDS_SINCE ? undefined : { name: 'one' };
        expect((await journal.records.get('devices', 'a'))?.body).toEqual(kept);
        expect(await journal.activity.hours(EVER)).toMatchObject([
          { runs: 2, callsAllowed: 1, callsAsked: 1, callsDenied: 1, callsFailed: 1, tokens: 15 },
        ]);
        const rules = await journal.activity.rules(EVER);
        const counts = Object.fromEntries(rules.map(({ ruleId, count }) => [ruleId, count]));
        expect(counts).toEqual({ one: 1, two: 2 });
        await journal.append([message('used on')]);
      }
      const entries = before.length + 1;
      expect(versionOf(temp.places.storeFile)).toBe(MIGRATIONS.length);
      expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', entries });
      using database = openDatabase({ file: temp.places.storeFile, mode: 'read-only' });
      expect(() => checkSchema(database, MIGRATIONS)).not.toThrow();
    },
  );

  it.each(next.map((_, index) => index + 1).filter((version) => version >= MIGRATIONS.length))(
    'brings a store of version %i to the newest with every entry as it was',
    async (version) => {
      using temp = new TempJournal();
      const file = await storeOf(temp, version);
      const before = rows(file);
      migrateStore(file, next);
      using database = openDatabase({ file, mode: 'read-only' });
      expect(readVersion(database)).toBe(next.length);
      expect(() => checkSchema(database, next)).not.toThrow();
      expect(rows(file)).toEqual(before);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    },
  );

  it('brings a store that version 1 has written to the newest, and it is used on', async () => {
    using temp = new TempJournal();
    layVersion1(temp.places);
    const before = rows(temp.places.storeFile);
    expect(before).toHaveLength(14);
    {
      await using journal = await temp.open();
      expect(rows(temp.places.storeFile)).toEqual(before);
      expect(await journal.runs.list({ limit: 10 })).toHaveLength(2);
      expect(await journal.runs.active()).toHaveLength(1);
      const write = { table: 'devices', id: 'a', expectedVersion: 0, body: {} };
      await journal.records.transact({ writes: [write], entries: [message('why')] });
    }
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', entries: 16 });
  });

  it('brings a store of version 3 to the newest: its runs ended for a reason that nobody knows', async () => {
    using temp = new TempJournal();
    layVersion1(temp.places);
    migrateStore(temp.places.storeFile, MIGRATIONS.slice(0, 3));
    {
      await using journal = await temp.open();
      const runs = await journal.runs.list({ limit: 10 });
      expect(runs.map(({ stopReason }) => stopReason)).toEqual([
        StopReason.UNSPECIFIED,
        StopReason.UNSPECIFIED,
      ]);
      const [active] = await journal.runs.active();
      const runId = parseId<'run'>(active?.runId ?? '');
      if (runId === undefined) throw new TypeError('the store has an active run');
      const ending = { status: 'RUN_STATUS_FAILED', stopReason: 'STOP_REASON_MONEY' };
      await journal.append([draft('run.ended', { runId }, ending)]);
      expect(await journal.runs.active()).toEqual([]);
      expect((await journal.runs.get(runId))?.stopReason).toBe(StopReason.MONEY);
    }
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', entries: 15 });
  });

  it('takes along what is still in the write-ahead log', async () => {
    using temp = new TempJournal();
    const file = await storeOf(temp, MIGRATIONS.length);
    const crashed = new DatabaseSync(file);
    crashed.exec(
      "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; INSERT INTO entries VALUES (21, x'00')",
    );
    const [main, wal] = [readFileSync(file), readFileSync(`${file}-wal`)];
    crashed.close();
    using other = new TempJournal();
    const copy = await storeOf(other, MIGRATIONS.length);

    writeFileSync(copy, main);
    writeFileSync(`${copy}-wal`, wal);
    migrateStore(copy, next);
    expect(rows(copy)).toHaveLength(21);
    expect(existsSync(`${copy}-wal`)).toBe(false);
  });

  it('leaves the original as it is when a step fails', async () => {
    using temp = new TempJournal();
    const file = await storeOf(temp, MIGRATIONS.length);
    const before = readFileSync(file);
    expect(() => migrateStore(file, [...next, 'DROP TABLE absent'])).toThrow('no such table');
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}.draft`)).toBe(false);
    await using journal = await temp.open();
    expect(journal.tip().sequence).toBe(20);
  });

  it('refuses a store that a newer version has written', async () => {
    using temp = new TempJournal();
    await storeOf(temp, next.length);
    await expect(temp.open()).rejects.toThrow(code('JOURNAL_TOO_NEW'));
  });

  it('waits for nobody who still reads the store', async () => {
    using temp = new TempJournal();
    const file = await storeOf(temp, MIGRATIONS.length);
    const reader = new DatabaseSync(file);
    reader.exec('PRAGMA journal_mode = WAL; BEGIN');
    reader.prepare('SELECT count(*) FROM entries').get();
    expect(() => migrateStore(file, next)).toThrow();
    reader.close();
    expect(() => migrateStore(file, next)).not.toThrow();
  });
});
