import { fromJson } from '@bufbuild/protobuf';
import {
  decodeEntry,
  type EntryLink,
  type EntryView,
  type PreparedEntry,
  prepareEntry,
  type SealedEntry,
} from '@palyra/kernel';
import { JournalArchivedSchema, RecordsChangedSchema } from '@palyra/protocol';
import { type TellingKind, kindAt, readKind } from './entry-kind.ts';
import { hashHex } from './platform-hash.ts';
import { changedDraft, type ToldRecord } from './record-writes.ts';
import type { RecordRow, RecordsTable } from './tables/records.ts';

/** What the entries say about one record, and which of them was the last to say so. */
interface SeenRecord extends ToldRecord {
  readonly toldAt: number;
}

/** Kinds of entries by which it is known what a record should be. */
const OF_RECORDS: ReadonlySet<TellingKind> = new Set(['records.changed', 'journal.archived']);

/** So many records are told of by one entry when its segment leaves. */
const RECORDS_AN_ENTRY = 512;

/**
 * Works out from the entries what each record should be. Keeps the newest change of each record in
 * memory.
 */
export class RecordsCheck {
  readonly #seen = new Map<string, SeenRecord>();
  readonly #start: number | undefined;
  /** Whether each record that there was when the entries before the first one left is told of by now. */
  #areAllTold: boolean;

  /**
   * With the sequence number after which the entries begin it is checked as well that each change came after the one
   * before: a record that was removed or put back behind the journal's back shows, also once it was written anew.
   * Contract: with it, entries come in order.
   */
  constructor(start?: number) {
    this.#start = start;
    this.#areAllTold = start === 0;
  }

  /** Contract: called for each entry, in any order unless it has a start; a reason for one that nobody can have written. */
  see({ canonical, text, at }: EntryView, { runIdAt }: EntryLink): string | undefined {
    // Entries about records belong to no run.
    if (runIdAt >= 0 || !OF_RECORDS.has(readKind(text, kindAt(text, at)))) return undefined;
    const entry = decodeEntry(canonical.slice(), '');
    return entry === undefined ? 'it is not of a known kind' : this.add(entry);
  }

  /** Contract: as of `see`. */
  add({ kind, sequence, payload }: SealedEntry): string | undefined {
    try {
      if (kind === 'journal.archived') this.#hearOfArchive(payload);
      if (kind !== 'records.changed') return undefined;
      const { changes } = fromJson(RecordsChangedSchema, { ...payload });
      for (const { table, id, version, digest, replaces } of changes) {
        if (version < 1n || version > BigInt(sequence)) return 'it names a version still to come';
        if (replaces !== undefined && !this.#follows({ table, id }, replaces)) {
          return `record \`${id}\` of \`${table}\` was changed before it, and no entry tells of that`;
        }
        this.#keep({ table, id, version: Number(version), digest, toldAt: sequence });
      }
      return undefined;
    } catch {
      // Only a payload of the wrong shape throws, and none such is ever written.
      return 'its payload is not of its kind';
    }
  }

  /** Records are told of again right before the entry about the segment that leaves. */
  #hearOfArchive(payload: SealedEntry['payload']): void {
    const { segments } = fromJson(JournalArchivedSchema, { ...payload });
    this.#areAllTold ||= segments.some(({ lastSequence }) => Number(lastSequence) === this.#start);
  }

  #follows(place: Pick<RecordRow, 'table' | 'id'>, replaces: string): boolean {
    if (this.#start === undefined) return true;
    const before = this.#seen.get(keyOf(place));
    if (before !== undefined) return replaces === before.digest;
    // What it replaces may have been told of by entries that have left, until their records were told of again.
    return replaces === '' || !this.#areAllTold;
  }

  #keep(told: SeenRecord): void {
    const key = keyOf(told);
    const known = this.#seen.get(key);
    if (known === undefined || known.toldAt < told.toldAt) this.#seen.set(key, told);
  }

  /** Contract: `undefined` when each record is what the entries say. */
  finish(records: RecordsTable): string | undefined {
    let found = 0;
    for (const row of records.all()) {
      found += 1;
      const told = this.#seen.get(keyOf(row));
      if (told?.version !== row.version || told.digest !== hashHex(Buffer.from(row.body))) {
        return `record \`${row.id}\` of \`${row.table}\` is wrong`;
      }
    }
    const kept = this.#seen
      .values()
      .reduce((sum, { digest }) => (digest === '' ? sum : sum + 1), 0);
    return found === kept ? undefined : 'a record is missing';
  }

  /**
   * Entries that say once more what is last said by entries up to `sequence`, which are about to
   * leave: so every record can be checked without the archive. Taken from entries, not from the
   * table: a record that was changed behind the journal's back still does not fit.
   */
  retell(sequence: number, actor: string): readonly PreparedEntry[] {
    const leaving = [...this.#seen.values()].filter(
      ({ toldAt, digest }) => toldAt <= sequence && digest !== '',
    );
    return Array.from({ length: Math.ceil(leaving.length / RECORDS_AN_ENTRY) }, (_, part) =>
      prepareEntry(
        changedDraft(actor, leaving.slice(part * RECORDS_AN_ENTRY, (part + 1) * RECORDS_AN_ENTRY)),
      ),
    );
  }
}

function keyOf({ table, id }: Pick<RecordRow, 'table' | 'id'>): string {
  // No table has a space in its name.
  return `${table} ${id}`;
}
