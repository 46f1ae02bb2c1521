import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { TempJournal } from './temp-journal.ts';

/** Sequence numbers and bytes of all entries, read behind the journal's back. */
export function entriesOf(temp: TempJournal): readonly (readonly [number, Uint8Array])[] {
  using database = new DatabaseSync(temp.places.storeFile);
  const rows = database.prepare('SELECT sequence, canonical FROM entries ORDER BY sequence').all();
  return rows.map(({ sequence, canonical }) => {
    if (!(canonical instanceof Uint8Array)) throw new TypeError('an entry is bytes');
    return [Number(sequence), canonical];
  });
}

/** Changes an entry of a journal that is not open, and mends the links of those after it up to `to`. */
export function rechain(temp: TempJournal, { from, to }: { from: number; to: number }): void {
  const rows = entriesOf(temp);
  using database = new DatabaseSync(temp.places.storeFile);
  const update = database.prepare('UPDATE entries SET canonical = ? WHERE sequence = ?');
  let hash: string | undefined;
  for (const [sequence, canonical] of rows) {
    if (sequence < from || sequence > to) continue;
    const text = Buffer.from(canonical).toString();
    const edited = Buffer.from(
      hash === undefined
        ? text.replace('principal:local', 'principal:other')
        : text.replace(/"previousHash":"[0-9a-f]{64}"/, `"previousHash":"${hash}"`),
    );
    update.run(edited, sequence);
    hash = createHash('sha256').update(edited).digest('hex');
  }
}
