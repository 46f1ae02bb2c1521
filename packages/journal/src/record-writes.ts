import { canonicalJson, type EntryDraft, type JsonObject, PalyraError } from '@palyra/kernel';
import { hashHex } from './platform-hash.ts';
import type { RecordWrite } from './journal.ts';
import type { RecordsTable } from './tables/records.ts';

/** A write whose body is text already; `undefined` removes the record. */
export interface PreparedWrite extends Omit<RecordWrite, 'body'> {
  readonly body: string | undefined;
  /** SHA-256 of the body, in hex; empty when it is removed. */
  readonly digest: string;
}

const MAX_WRITES = 64;
const TABLE_PATTERN = /^[a-z][a-z0-9_]{0,63}$/;
/** Printable ASCII: sorts the same in every database, and has one spelling. */
const ID_PATTERN = /^[\x21-\x7e]{1,128}$/;

/** Contract: throws INVALID_INPUT for writes that are out of bounds or contradict one another. */
export function prepareWrites(
  writes: readonly RecordWrite[],
  limitBytes: number,
): readonly PreparedWrite[] {
  if (writes.length === 0) throw invalid('a change of records writes at least one');
  if (writes.length > MAX_WRITES) throw invalid(`more than ${MAX_WRITES} records in one change`);
  const places = new Set(writes.map(({ table, id }) => `${table} ${id}`));
  if (places.size !== writes.length) throw invalid('a change of records names one of them twice');
  return writes.map((write) => prepareWrite(write, limitBytes));
}

/** Contract: `undefined` when every record is at the version that the writer has seen. */
export function conflictIn(
  records: RecordsTable,
  writes: readonly PreparedWrite[],
): PalyraError | undefined {
  const stale = writes.find(
    ({ table, id, expectedVersion }) => records.version(table, id) !== expectedVersion,
  );
  if (stale === undefined) return undefined;
  return new PalyraError('CONFLICT', `record \`${stale.id}\` of \`${stale.table}\` has changed`);
}

export function applyWrites(
  records: RecordsTable,
  writes: readonly PreparedWrite[],
  version: number,
): void {
  for (const { table, id, body } of writes) {
    if (body === undefined) records.remove(table, id);
    else records.write({ table, id, version, body });
  }
}

/** What an entry of kind `records.changed` says about one record. */
export interface ToldRecord {
  readonly table: string;
  readonly id: string;
  readonly version: number;
  /** SHA-256 of the body, in hex; empty when the record was removed. */
  readonly digest: string;
  /** The digest of what it takes the place of, empty for none; absent where nothing is changed. */
  readonly replaces?: string;
}

export function changedDraft(actor: string, records: readonly ToldRecord[]): EntryDraft {
  const changes = records.map(({ table, id, version, digest, replaces }) => ({
    table,
    id,
    version: `${version}`,
    ...(digest === '' ? {} : { digest }),
    ...(replaces === undefined ? {} : { replaces }),
  }));
  return { kind: 'records.changed', actor, payload: { changes } };
}

/** Contract: `version` is the sequence number that the entry about these writes will have; before they are applied. */
export function told(
  writes: readonly PreparedWrite[],
  version: number,
  records: Pick<RecordsTable, 'get'>,
): readonly ToldRecord[] {
  return writes.map(({ table, id, digest }) => {
    // Of what stands there, whatever the entries say stands there.
    const before = records.get(table, id);
    const replaces = before === undefined ? '' : hashHex(Buffer.from(before.body));
    return { table, id, version, digest, replaces };
  });
}

function prepareWrite(write: RecordWrite, limitBytes: number): PreparedWrite {
  const { table, id, expectedVersion } = write;
  if (!TABLE_PATTERN.test(table)) throw invalid('the name of a table of records is malformed');
  if (!ID_PATTERN.test(id)) throw invalid(`the id of a record of \`${table}\` is malformed`);
  if (!Number.isSafeInteger(expectedVersion) || expectedVersion < 0) {
    throw invalid(`the expected version of a record of \`${table}\` is malformed`);
  }
  if (write.body === undefined) {
    if (expectedVersion === 0) throw invalid('a record that is not there cannot be removed');
    return { table, id, expectedVersion, body: undefined, digest: '' };
  }
  const body = bodyText(table, write.body);
  const bytes = Buffer.from(body);
  if (bytes.length > limitBytes) {
    throw invalid(`a record of ${bytes.length} bytes is too large for \`${table}\``);
  }
  return { table, id, expectedVersion, body, digest: hashHex(bytes) };
}

function bodyText(table: string, body: JsonObject): string {
  try {
    return canonicalJson(body);
  } catch (error) {
    throw new PalyraError('INVALID_INPUT', `a record of \`${table}\` cannot be written`, {
      cause: error,
    });
  }
}

function invalid(message: string): PalyraError {
  return new PalyraError('INVALID_INPUT', message);
}
