import { PalyraError, type SealedEntry, createIds, systemClock } from '@palyra/kernel';
import type { RecordsChange, RecordsPort, RecordWrite, StoredRecord } from '@palyra/records';

const MAX_WRITES = 64;

/** The store in memory, as strict about versions and bounds as the real one. */
export class MemoryRecords implements RecordsPort {
  readonly #ids = createIds(systemClock());
  readonly #tables = new Map<string, Map<string, StoredRecord>>();
  readonly #entries: SealedEntry[] = [];
  readonly #revisions = new Map<string, number>();
  #before: (() => Promise<void>) | undefined;
  #gets = 0;
  #lists = 0;

  /** What was journaled, `records.changed` included. */
  get entries(): readonly SealedEntry[] {
    return this.#entries;
  }

  /** How often it was read, by key and by list. */
  get reads(): { readonly gets: number; readonly lists: number } {
    return { gets: this.#gets, lists: this.#lists };
  }

  /** The kinds that were journaled, without `records.changed`. */
  kinds(): readonly string[] {
    return this.#entries.map(({ kind }) => kind).filter((kind) => kind !== 'records.changed');
  }

  /** Lets a test put a competing write between a reader's look and its write. */
  beforeNextTransact(act: () => Promise<void>): void {
    this.#before = act;
  }

  async get(table: string, id: string): Promise<StoredRecord | undefined> {
    this.#gets += 1;
    return structuredClone(this.#tables.get(table)?.get(id));
  }

  async list(
    table: string,
    { after = '', limit }: { readonly after?: string; readonly limit: number },
  ): Promise<readonly StoredRecord[]> {
    this.#lists += 1;
    const all = [...(this.#tables.get(table)?.values() ?? [])];
    const sorted = all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return structuredClone(sorted.filter(({ id }) => id > after).slice(0, Math.min(limit, 1000)));
  }

  async count(table: string): Promise<number> {
    return this.#tables.get(table)?.size ?? 0;
  }

  revision(table: string): number {
    return this.#revisions.get(table) ?? 0;
  }

  async transact({ writes, entries }: RecordsChange): Promise<readonly SealedEntry[]> {
    const before = this.#before;
    this.#before = undefined;
    await before?.();
    this.#check(writes);
    const [first] = entries;
    if (first === undefined) throw new PalyraError('INVALID_INPUT', 'no entry tells why');
    const changed = { kind: 'records.changed', actor: first.actor, payload: {} } as const;
    const sealed = [...entries, changed].map((draft, index) => ({
      ...structuredClone(draft),
      id: this.#ids.next<'entry'>(),
      sequence: this.#entries.length + index + 1,
      time: '',
      previousHash: '',
      hash: '',
      canonical: new Uint8Array(),
    }));
    this.#entries.push(...sealed);
    for (const write of writes) this.#apply(write, this.#entries.length);
    return sealed;
  }

  #check(writes: readonly RecordWrite[]): void {
    const places = new Set(writes.map(({ table, id }) => `${table} ${id}`));
    if (writes.length === 0 || writes.length > MAX_WRITES || places.size !== writes.length) {
      throw new PalyraError('INVALID_INPUT', 'the writes of a change are out of bounds');
    }
    for (const { table, id, expectedVersion, body } of writes) {
      if (body === undefined && expectedVersion === 0) {
        throw new PalyraError('INVALID_INPUT', 'a record that is not there cannot be removed');
      }
      if ((this.#tables.get(table)?.get(id)?.version ?? 0) !== expectedVersion) {
        throw new PalyraError('CONFLICT', `record \`${id}\` of \`${table}\` has changed`);
      }
    }
  }

  #apply({ table, id, body }: RecordWrite, version: number): void {
    const rows = this.#tables.get(table) ?? new Map<string, StoredRecord>();
    this.#tables.set(table, rows);
    this.#revisions.set(table, version);
    if (body === undefined) rows.delete(id);
    else rows.set(id, { id, version, body: structuredClone(body) });
  }
}
