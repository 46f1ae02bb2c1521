import type { Turns } from '@palyra/kernel';
import type { ApprovalRecord, ApprovalRecordSchema } from '@palyra/protocol';
import type { Row, Table } from '@palyra/records';

type Questions = Table<typeof ApprovalRecordSchema>;

/** With its preview one may be a megabyte: so few are read before others get a turn. */
const ROWS_A_TURN = 4;
/** After every id. */
const END = '~';

/**
 * Questions of several tables, read as they are taken. Contract: none comes twice; one that goes from
 * one table to another meanwhile may be left out, and whoever watches hears of it.
 */
export async function* newestFirst(
  tables: readonly Questions[],
  turns: Turns,
): AsyncGenerator<ApprovalRecord, void, undefined> {
  const cursors = tables.map((table) => new Cursor(table, turns));
  for (let last = END; ;) {
    for (const cursor of cursors) await cursor.fill();
    const [newest] = cursors.toSorted((one, other) => (one.id < other.id ? 1 : -1));
    const row = newest?.take();
    if (row === undefined) return;
    if (row.id < last) yield row.value;
    last = row.id;
  }
}

class Cursor {
  readonly #table: Questions;
  readonly #turns: Turns;
  #rows: Row<ApprovalRecord>[] = [];
  #end: string | undefined = END;

  constructor(table: Questions, turns: Turns) {
    this.#table = table;
    this.#turns = turns;
  }

  /** Of the next one. Contract: empty, and hence before every other, when there is none. */
  get id(): string {
    return this.#rows[0]?.id ?? '';
  }

  take(): Row<ApprovalRecord> | undefined {
    return this.#rows.shift();
  }

  async fill(): Promise<void> {
    if (this.#rows.length > 0 || this.#end === undefined) return;
    await this.#turns.next();
    this.#rows = [...(await this.#table.before(this.#end, ROWS_A_TURN))];
    this.#end = this.#rows.at(-1)?.id;
  }
}
