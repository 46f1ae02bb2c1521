import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import type { VerifyReport } from '@palyra/kernel';
import { verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draft, message, started, TempJournal } from '../test/temp-journal.ts';
import { verifyStore } from './index.ts';

const temp = new TempJournal();
const { storeFile } = temp.places;
const original = `${storeFile}.original`;
const ENTRIES = 66;
const EDITS = { ...verifies('journal:any-edit-is-caught'), timeout: 120_000 };

const DENIED = { kind: 'DECISION_KIND_DENY', reason: 'no', ruleIds: ['deny-everything'] };

/** Several segments, and runs that have ended or go on. */
beforeAll(async () => {
  await using journal = await temp.open({ segment_bytes: 8192, batch_entries: 1 });
  const runs = Array.from({ length: 4 }, () => ({
    runId: temp.ids.next<'run'>(),
    sessionId: temp.ids.next<'session'>(),
  }));
  for (const run of runs) await journal.append([draft('run.started', run, started)]);
  for (let at = 0; at < 50; at += 1) {
    const run = runs[at % 3];
    if (run !== undefined) await journal.append([message(`entry ${at}`, run)]);
  }
  const [first, second] = runs;
  if (first === undefined || second === undefined) throw new TypeError('there are four runs');
  await journal.append([draft('tool.finished', first), draft('tool.finished', first)]);
  await journal.append([draft('run.ended', first, { status: 'RUN_STATUS_COMPLETED' })]);
  for (let at = 0; at < 4; at += 1) await journal.append([draft('tool.decided', second, DENIED)]);
  for (const ids of [['a', 'b'], ['c']]) {
    const writes = ids.map((id) => ({ table: 'devices', id, expectedVersion: 0, body: { id } }));
    await journal.records.transact({ writes, entries: [message('why')] });
  }
  await journal.append([message('last')]);
  await journal[Symbol.asyncDispose]();
  copyFileSync(storeFile, original);
});

afterAll(() => temp[Symbol.dispose]());

interface Column {
  readonly table: string;
  readonly column: string;
}

/** Changes one row of the store behind the journal's back, and says whether it did. */
function change(work: (database: DatabaseSync) => void): void {
  copyFileSync(original, storeFile);
  const database = new DatabaseSync(storeFile, { defensive: false });
  try {
    // Whoever edits it in secret need not survive a power cut; to wait for the disk took half of the time.
    database.exec('PRAGMA synchronous = OFF');
    work(database);
  } finally {
    database.close();
  }
}

function mutate(value: unknown, seed: number): string | number | Uint8Array {
  if (typeof value === 'number') return value + 1 + (seed % 7);
  if (typeof value === 'string') return value.length === 0 ? 'x' : flipText(value, seed);
  if (value instanceof Uint8Array) {
    const at = seed % value.length;
    return value.with(at, (value[at] ?? 0) ^ (1 + (seed % 255)));
  }
  throw new TypeError('no such column');
}

function flipText(value: string, seed: number): string {
  const at = seed % value.length;
  return value.slice(0, at) + (value[at] === 'x' ? 'y' : 'x') + value.slice(at + 1);
}

const columns: readonly Column[] = [
  ...['sequence', 'canonical'].map((column) => ({ table: 'entries', column })),
  ...['canonical', 'signature', 'segment_bytes'].map((column) => ({ table: 'statements', column })),
  ...['number', 'first_sequence', 'previous_hash', 'last_sequence', 'bytes'].map((column) => ({
    table: 'segments',
    column,
  })),
  ...['run_id', 'first_sequence', 'last_sequence', 'tool_calls'].map((column) => ({
    table: 'run_spans',
    column,
  })),
  ...'started_sequence run_id session_id status started_at ended_at principal model prompt error'
    .split(' ')
    .map((column) => ({ table: 'runs', column })),
  ...['sequence', 'hash'].map((column) => ({ table: 'projection', column })),
  ...['table_name', 'id', 'version', 'body'].map((column) => ({ table: 'records', column })),
  ...'hour runs calls_allowed calls_asked calls_denied calls_failed tokens cost_micro_usd'
    .split(' ')
    .map((column) => ({ table: 'activity_hours', column })),
  ...['day', 'rule_id', 'count', 'last_at'].map((column) => ({ table: 'rule_days', column })),
];

function keyOf(table: string): string {
  const keys = new Map([
    ['entries', 'sequence'],
    ['statements', 'name'],
    ['segments', 'number'],
    ['records', 'id'],
    ['projection', 'sequence'],
    ['activity_hours', 'hour'],
    ['rule_days', 'rule_id'],
  ]);
  return keys.get(table) ?? 'run_id';
}

describe('verifying the store', () => {
  it('finds it intact as it was written', async () => {
    copyFileSync(original, storeFile);
    expect(await verifyStore(temp.places)).toMatchObject({
      verdict: 'intact',
      entries: ENTRIES,
      firstSequence: 1,
      lastSequence: ENTRIES,
    });
  });

  it('catches a change of any column of any row', EDITS, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...columns),
        fc.nat(),
        fc.nat(),
        async ({ table, column }, at, seed) => {
          change((database) => {
            const key = keyOf(table);
            const rows = database
              .prepare(`SELECT ${key} AS k, ${column} AS v FROM ${table} ORDER BY 1`)
              .all();
            const row = rows[at % rows.length];
            const id = row?.['k'];
            if (row === undefined || id === null || id === undefined) throw new TypeError('no row');
            // Not onto another row's place, which the store itself would refuse.
            const isPlace = column === key || column === 'started_sequence';
            const edited =
              isPlace && typeof row['v'] === 'number' ? ENTRIES + 5 : mutate(row['v'], seed);
            database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`).run(edited, id);
          });
          expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'broken' });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('catches the removal of any row', EDITS, async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...columns), fc.nat(), async ({ table }, at) => {
        change((database) => {
          const key = keyOf(table);
          const rows = database.prepare(`SELECT ${key} AS k FROM ${table}`).all();
          const id = rows[at % rows.length]?.['k'];
          if (id === null || id === undefined) throw new TypeError('no row');
          database.prepare(`DELETE FROM ${table} WHERE ${key} = ?`).run(id);
        });
        expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'broken' });
      }),
      { numRuns: 150 },
    );
  });

  it('catches a row that was put into any table, wherever it claims to stand', EDITS, async () => {
    const copies = fc.constantFrom(...new Set(columns.map(({ table }) => table)));
    const free = fc.oneof(fc.integer({ min: -9, max: 0 }), fc.integer({ min: ENTRIES + 1 }));
    await fc.assert(
      fc.asyncProperty(copies, fc.nat(), free, async (table, at, place) => {
        change((database) => {
          const key = keyOf(table);
          const rows = database.prepare(`SELECT * FROM ${table} ORDER BY ${key}`).all();
          const copy = { ...rows[at % rows.length] };
          for (const column of ['sequence', 'number', 'started_sequence']) {
            if (column in copy) copy[column] = place;
          }
          if ('run_id' in copy) copy['run_id'] = temp.ids.next<'run'>();
          if ('name' in copy) copy['name'] = `stranger ${place}`;
          if ('hour' in copy) copy['hour'] = `2026-01-02T${place}`;
          if ('day' in copy) copy['rule_id'] = `stranger ${place}`;
          if ('id' in copy) copy['id'] = `stranger-${place}`;
          if (table === 'run_spans')
            Object.assign(copy, { first_sequence: place, last_sequence: 0 });
          const marks = Object.keys(copy).map(() => '?');
          database
            .prepare(`INSERT INTO ${table} (${Object.keys(copy).join()}) VALUES (${marks.join()})`)
            .run(...Object.values(copy));
        });
        expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'broken' });
      }),
      { numRuns: 250 },
    );
  });

  it('catches an empty segment before the first or after the last', EDITS, async () => {
    const rows = [
      `(0, 1, '${'0'.repeat(64)}', 0, 0)`,
      `(99, ${ENTRIES + 1}, '${'0'.repeat(64)}', ${ENTRIES}, 0)`,
    ];
    for (const row of rows) {
      change((database) => database.exec(`INSERT INTO segments VALUES ${row}`));
      expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'broken' });
    }
  });

  it('catches rows before the first entry, and so does opening', EDITS, async () => {
    for (const place of [0, -1]) {
      change((database) => database.exec(`INSERT INTO entries VALUES (${place}, x'7b7d')`));
      expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'broken' });
      await expect(temp.open()).rejects.toThrow(
        expect.objectContaining({ code: 'JOURNAL_CORRUPT' }),
      );
    }
  });

  it('names the first entry that was changed, removed, moved or inserted', EDITS, async () => {
    const edits = fc.constantFrom('change', 'remove', 'swap', 'double');
    await fc.assert(
      fc.asyncProperty(edits, fc.integer({ min: 1, max: ENTRIES - 1 }), async (edit, at) => {
        change((database) => {
          const next = at + 1;
          switch (edit) {
            case 'change':
              database.exec(
                `UPDATE entries SET canonical = CAST(replace(CAST(canonical AS TEXT), 'principal:local', 'principal:other') AS BLOB) WHERE sequence = ${at}`,
              );
              break;
            case 'remove':
              database.exec(`DELETE FROM entries WHERE sequence = ${at}`);
              break;
            case 'swap':
              database.exec(
                `UPDATE entries SET sequence = -1 WHERE sequence = ${at}; UPDATE entries SET sequence = ${at} WHERE sequence = ${next}; UPDATE entries SET sequence = ${next} WHERE sequence = -1`,
              );
              break;
            case 'double':
              database.exec(
                `UPDATE entries SET canonical = CAST(canonical || char(10) || canonical AS BLOB) WHERE sequence = ${at}`,
              );
              break;
          }
        });
        expect(await verifyStore(temp.places)).toMatchObject({
          verdict: 'broken',
          entries: at - 1,
          fault: { sequence: at },
        });
      }),
      { numRuns: 250 },
    );
  });

  it(
    'names exactly the entry in which any one byte was changed, and counts those before it',
    EDITS,
    async () => {
      const places = fc.integer({ min: 1, max: ENTRIES });
      await fc.assert(
        fc.asyncProperty(places, fc.nat(), async (at, seed) => {
          change((database) => {
            const row = database
              .prepare('SELECT canonical FROM entries WHERE sequence = ?')
              .get(at);
            const edited = mutate(row?.['canonical'], seed);
            database.prepare('UPDATE entries SET canonical = ? WHERE sequence = ?').run(edited, at);
          });
          expect(await verifyStore(temp.places)).toMatchObject({
            verdict: 'broken',
            fault: { sequence: at },
            entries: at - 1,
          });
        }),
        // Of the last entry only the signed head tells.
        { numRuns: 250, examples: [[ENTRIES, 1]] },
      );
    },
  );

  it('names the first of several entries that were changed', async () => {
    change((database) => {
      database.exec(
        `UPDATE entries SET canonical = CAST(replace(CAST(canonical AS TEXT), 'principal:local', 'principal:other') AS BLOB) WHERE sequence BETWEEN 17 AND 20 OR sequence = 40`,
      );
    });
    expect(await verifyStore(temp.places)).toMatchObject({
      verdict: 'broken',
      fault: { sequence: 17 },
    });
  });

  it('catches entries cut off at the end, with everything else made to fit', EDITS, async () => {
    for (const last of [ENTRIES - 1, 30, 1, 0]) {
      change((database) => {
        database.exec(`DELETE FROM entries WHERE sequence > ${last}`);
        database.exec(`DELETE FROM segments WHERE first_sequence > ${Math.max(last, 1)}`);
        database.exec(`UPDATE segments SET last_sequence = ${last} WHERE last_sequence > ${last}`);
      });
      expect(await verifyStore(temp.places)).toMatchObject({
        verdict: 'broken',
        fault: { sequence: last + 1 },
      });
      await expect(temp.open()).rejects.toThrow(
        expect.objectContaining({ code: 'JOURNAL_CORRUPT' }),
      );
    }
  });

  it('catches entries cut off at the front that nobody has archived', EDITS, async () => {
    change((database) => {
      const second = database
        .prepare('SELECT first_sequence AS f FROM segments WHERE number = 2')
        .get();
      database.exec(
        `DELETE FROM entries WHERE sequence < ${Number(second?.['f'])}; DELETE FROM segments WHERE number = 1`,
      );
    });
    expect(await verifyStore(temp.places)).toMatchObject({
      verdict: 'broken',
      fault: { sequence: 1 },
    });
  });

  it('catches a trigger, and so does opening', async () => {
    change((database) => {
      database.exec(
        'CREATE TRIGGER quiet AFTER INSERT ON entries BEGIN DELETE FROM entries WHERE sequence = new.sequence; END',
      );
    });
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'broken' });
    await expect(temp.open()).rejects.toThrow(expect.objectContaining({ code: 'JOURNAL_CORRUPT' }));
  });

  it('catches damaged pages of the file, wherever they are used', async () => {
    const clean = readFileSync(original);
    // The header of a SQLite file says how long a page is.
    const pageBytes = clean.readUInt16BE(16);
    const found: Extract<VerifyReport, { verdict: 'broken' }>[] = [];
    for (let page = 0; page * pageBytes < clean.length; page += 1) {
      const damaged = Uint8Array.from(clean);
      damaged.fill(0xa5, page * pageBytes + 100, (page + 1) * pageBytes);
      writeFileSync(storeFile, damaged);
      const report = await verifyStore(temp.places);
      expect(report, `page ${page}`).toMatchObject({ verdict: 'broken' });
      if (report.verdict === 'broken') found.push(report);
    }
    // All that was read before the damage is good, and whatever lies beside the entries spoils none of them.
    for (const { fault, entries } of found) expect(entries).toBe(fault.sequence - 1);
    expect(new Set(found.map(({ fault }) => fault.sequence)).size).toBeGreaterThan(2);
  });

  it('names the entry in a store that is long enough for a second thread', async () => {
    using long = new TempJournal();
    {
      await using journal = await long.open();
      for (let at = 0; at < 9; at += 1) {
        await journal.append(Array.from({ length: 600 }, (_, index) => message(`${at} ${index}`)));
      }
    }
    expect(await verifyStore(long.places)).toMatchObject({ verdict: 'intact', entries: 5400 });
    for (const at of [1, 512, 513, 4000, 5399, 5400]) {
      const reverse = `CAST(replace(CAST(canonical AS TEXT), 'principal', 'lapicnirp') AS BLOB)`;
      const mend = `CAST(replace(CAST(canonical AS TEXT), 'lapicnirp', 'principal') AS BLOB)`;
      using database = new DatabaseSync(long.places.storeFile);
      database.exec(`UPDATE entries SET canonical = ${reverse} WHERE sequence = ${at}`);
      expect(await verifyStore(long.places)).toMatchObject({
        verdict: 'broken',
        fault: { sequence: at },
      });
      database.exec(`UPDATE entries SET canonical = ${mend} WHERE sequence = ${at}`);
    }
  });

  it('stops when it is told to', async () => {
    copyFileSync(original, storeFile);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(verifyStore(temp.places, { signal })).rejects.toThrow('enough');
  });

  it('says when there is no journal', async () => {
    using empty = new TempJournal();
    await expect(verifyStore(empty.places)).rejects.toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });
});
