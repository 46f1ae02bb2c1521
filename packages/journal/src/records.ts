import { isJsonObject, PalyraError } from '@palyra/kernel';
import { bytesOf, type Change, prepareDraft, prepareDrafts } from './change.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Records, RecordsChange, RecordsQuery, StoredRecord } from './journal.ts';
import { changedDraft, type PreparedWrite, prepareWrites, told } from './record-writes.ts';
import { corrupt } from './store.ts';
import { guarded } from './store-fault.ts';
import type { RecordRow, RecordsTable } from './tables/records.ts';

export interface RecordsOptions {
  readonly rows: RecordsTable;
  readonly commits: GroupCommit;
  readonly limitBytes: number;
  readonly revision: (table: string) => number;
}

/** Its digest is as long as any. */
const EMPTY: RecordRow = { table: '', id: '', version: 0, body: '' };

const MAX_LISTED = 1000;
/** One list never holds more than this, however large its records are; but always one record. */
const LISTED_CHARACTERS = 8 * 1024 * 1024;

export function recordsOf({ rows, commits, limitBytes, revision }: RecordsOptions): Records {
  return {
    get: (table, id) => guarded(() => toRecord(rows.get(table, id))),
    list: (table, query) => guarded(() => take(rangeOf(rows, table, query))),
    count: (table) => guarded(() => rows.count(table)),
    revision,
    transact: async (change) => {
      commits.assertOpen();
      return commits.append(prepareChange(change, limitBytes));
    },
  };
}

function rangeOf(rows: RecordsTable, table: string, query: RecordsQuery): Iterable<RecordRow> {
  const limit = Math.min(query.limit, MAX_LISTED);
  return 'before' in query
    ? rows.rangeBefore({ table, before: query.before, limit })
    : rows.range({ table, after: query.after ?? '', limit });
}

/** Contract: throws INVALID_INPUT for what could not be written, before anything is queued. */
function prepareChange({ writes, entries }: RecordsChange, limitBytes: number): Change {
  const [first] = entries;
  if (first === undefined) {
    throw new PalyraError('INVALID_INPUT', 'a change of records needs an entry that tells why');
  }
  const drafts = prepareDrafts(entries, limitBytes);
  const prepared = prepareWrites(writes, limitBytes);
  // Its version is known in the commit only; with the longest that there is it must not be too large.
  const longest = changedDraft(
    first.actor,
    told(prepared, Number.MAX_SAFE_INTEGER, { get: () => EMPTY }),
  );
  const noteBytes = prepareDraft(longest, limitBytes).limitBytes;
  return {
    entries: drafts,
    writes: prepared,
    limitBytes: bytesOf(drafts) + noteBytes + bodyBytes(prepared),
  };
}

function bodyBytes(writes: readonly PreparedWrite[]): number {
  // Three bytes are the most that UTF-8 needs for one code unit of UTF-16.
  return writes.reduce((sum, { body = '' }) => sum + 3 * body.length, 0);
}

function take(rows: Iterable<RecordRow>): readonly StoredRecord[] {
  const taken: StoredRecord[] = [];
  let characters = 0;
  for (const row of rows) {
    characters += row.body.length;
    if (taken.length > 0 && characters > LISTED_CHARACTERS) break;
    taken.push(parsed(row));
  }
  return taken;
}

function toRecord(row: RecordRow | undefined): StoredRecord | undefined {
  return row === undefined ? undefined : parsed(row);
}

function parsed({ table, id, version, body }: RecordRow): StoredRecord {
  const value: unknown = JSON.parse(body);
  if (!isJsonObject(value)) throw corrupt(`record \`${id}\` of \`${table}\` cannot be read`);
  return { id, version, body: value };
}
