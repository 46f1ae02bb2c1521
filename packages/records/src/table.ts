import { type DescMessage, type MessageShape, fromJson, toJson } from '@bufbuild/protobuf';
import { type JsonObject, PalyraError, isJsonObject } from '@palyra/kernel';
import type { RecordsPort, RecordWrite, StoredRecord } from './records-port.ts';

/** No table may grow past this; whoever adds a row says so when it is full. */
export const MAX_ROWS = 10_000;
const PAGE = 1_000;

export interface Row<Value> {
  readonly id: string;
  /** What the next write of this row has to expect. */
  readonly version: number;
  readonly value: Value;
}

/** One kind of record, read and written as a message of the protocol. */
export class Table<Desc extends DescMessage> {
  readonly #records: RecordsPort;
  readonly #name: string;
  readonly #schema: () => Desc;

  /** `schema` is asked for with the first row: to describe every message takes longer than a start. */
  constructor(records: RecordsPort, name: string, schema: () => Desc) {
    this.#records = records;
    this.#name = name;
    this.#schema = schema;
  }

  async get(id: string): Promise<Row<MessageShape<Desc>> | undefined> {
    const stored = await this.#records.get(this.#name, id);
    return stored === undefined ? undefined : this.#read(stored);
  }

  /** Ascending by id. */
  async all(): Promise<readonly Row<MessageShape<Desc>>[]> {
    const rows: Row<MessageShape<Desc>>[] = [];
    for (;;) {
      const last = rows.at(-1);
      const query = last === undefined ? { limit: PAGE } : { limit: PAGE, after: last.id };
      const page = await this.#records.list(this.#name, query);
      rows.push(...page.map((stored) => this.#read(stored)));
      if (page.length === 0 || rows.length >= MAX_ROWS) return rows;
    }
  }

  /** Descending by id, at most `limit`, all of them before the id; for tables without a bound. */
  async before(id: string, limit: number): Promise<readonly Row<MessageShape<Desc>>[]> {
    const rows: Row<MessageShape<Desc>>[] = [];
    for (;;) {
      const query = { before: rows.at(-1)?.id ?? id, limit: limit - rows.length };
      const page = await this.#records.list(this.#name, query);
      rows.push(...page.map((stored) => this.#read(stored)));
      if (page.length === 0 || rows.length >= limit) return rows;
    }
  }

  /** Rises with every write to the table: what was read of it holds for as long as this stays the same. */
  revision(): number {
    return this.#records.revision(this.#name);
  }

  count(): Promise<number> {
    return this.#records.count(this.#name);
  }

  /** `expectedVersion` 0: there must be no such row yet. */
  put(id: string, value: MessageShape<Desc>, expectedVersion: number): RecordWrite {
    return { table: this.#name, id, expectedVersion, body: jsonOf(this.#schema(), value) };
  }

  drop({ id, version }: Row<unknown>): RecordWrite {
    return { table: this.#name, id, expectedVersion: version, body: undefined };
  }

  #read({ id, version, body }: StoredRecord): Row<MessageShape<Desc>> {
    try {
      return { id, version, value: fromJson(this.#schema(), body) };
    } catch (cause) {
      // What is written is made of a message and can be read: somebody else has changed it since.
      const what = `a record of \`${this.#name}\` is not as it was written`;
      throw new PalyraError('JOURNAL_CORRUPT', what, { cause });
    }
  }
}

/** The JSON form of a message, for a record or the payload of an entry. */
export function jsonOf<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): JsonObject {
  const json: unknown = toJson(schema, message);
  if (!isJsonObject(json)) throw new TypeError(`${schema.typeName} is not an object in JSON`);
  return json;
}
