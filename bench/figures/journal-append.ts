import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import type { Bytes } from '@palyra/kernel';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { RATE, interleave, subject } from '../harness.ts';
import { storeHome } from '../rig/home.ts';
import { runStories } from '../rig/run-story.ts';
import { openAt } from '../rig/stores.ts';
import { type Scripts, scriptsFrom, write } from '../rig/writers.ts';

const JOURNAL = 'journal, 64 writers';
const PLAIN = 'plain SQLite, the same rows a commit';

export const journalAppend: Figure = {
  says: 'Durable appends a second, each of 64 writers waiting for one entry before it appends the next, against a loop that inserts the same bytes into one table, as many in a commit as the journal has.',
  targets: [{ kind: 'ratio', subject: JOURNAL, baseline: PLAIN, limit: { atLeast: 0.5 } }],
  measure: async (scale) => {
    const scripts = scriptsFrom(runStories(scale === 'small' ? 128 : 512));
    const groups = await groupsOf(scripts);
    const entries = groups.flat();
    const run = await interleave({
      title: 'appending',
      quantity: RATE,
      subjects: [
        subject(JOURNAL, () => appendAll(scripts)),
        subject(PLAIN, () => insertAll(groups)),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 6, rounds: 12 }),
    });
    const bytes = entries.reduce((sum, entry) => sum + entry.length, 0);
    const [each, together] = [bytes / entries.length, entries.length / groups.length];
    const notes = [
      `Both flush the disk at every commit; ${entries.length} entries of ${Math.round(each)} bytes on average, ${together.toFixed(1)} in a commit.`,
    ];
    return { runs: [run], notes };
  },
};

/** What the journal commits together, as it stands on disk. */
async function groupsOf(scripts: Scripts): Promise<readonly (readonly Bytes[])[]> {
  await using home = await storeHome();
  await using journal = await openAt(home.places);
  const groups: Bytes[][] = [];
  journal.subscribe((sealed) => groups.push(sealed.map(({ canonical }) => canonical)));
  await write(journal, scripts);
  return groups;
}

async function appendAll(scripts: Scripts): Promise<number> {
  await using home = await storeHome();
  await using journal = await openAt(home.places);
  const startedAt = performance.now();
  const written = await write(journal, scripts);
  return written / ((performance.now() - startedAt) / 1_000);
}

async function insertAll(groups: readonly (readonly Bytes[])[]): Promise<number> {
  await using home = await storeHome();
  using database = new DatabaseSync(join(home.path, 'plain.sqlite'));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE rows (sequence INTEGER PRIMARY KEY, canonical BLOB NOT NULL) STRICT`);
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?)');
  let inserted = 0;
  const startedAt = performance.now();
  for (const group of groups) {
    database.exec('BEGIN IMMEDIATE');
    for (const row of group) insert.run((inserted += 1), row);
    database.exec('COMMIT');
  }
  return inserted / ((performance.now() - startedAt) / 1_000);
}
