import { type Database, numberAt, type Row, type Statement, textAt } from '../database.ts';

export interface RunSpan {
  readonly firstSequence: number;
  /** No entry of the run comes after this one; in the table it is a multiple of the step. */
  readonly lastSequence: number;
  /** Tool calls that have finished, whatever their outcome. */
  readonly toolCalls: number;
}

/** Spans grow in steps, so that most entries of a run do not change its row. */
const STEP = 1024;

/** The end of the span of a run whose newest entry has this sequence number. */
export function spanEnd(sequence: number): number {
  return Math.ceil(sequence / STEP) * STEP;
}

/**
 * Table `run_spans`: between which entries those of a run lie, so that nobody looks elsewhere, and
 * how many tool calls are among them.
 */
export class RunSpans {
  readonly #write: Statement;
  readonly #get: Statement;
  readonly #all: Statement;
  readonly #forget: Statement;

  constructor(database: Database) {
    const columns = 'run_id, first_sequence, last_sequence, tool_calls';
    this.#write = database.prepare(
      `INSERT OR REPLACE INTO run_spans (${columns}) VALUES (?, ?, ?, ?)`,
    );
    this.#get = database.prepare(`SELECT ${columns} FROM run_spans WHERE run_id = ?`);
    this.#all = database.prepare(`SELECT ${columns} FROM run_spans`);
    this.#forget = database.prepare('DELETE FROM run_spans WHERE last_sequence <= ?');
  }

  write(runId: string, { firstSequence, lastSequence, toolCalls }: RunSpan): void {
    this.#write.run(runId, firstSequence, lastSequence, toolCalls);
  }

  get(runId: string): RunSpan | undefined {
    const row = this.#get.get(runId);
    return row === undefined ? undefined : toSpan(row);
  }

  *all(): Iterable<readonly [runId: string, span: RunSpan]> {
    for (const row of this.#all.each()) yield [textAt(row, 0), toSpan(row)];
  }

  /** Drops the runs whose entries are all archived; they have ended, or they would have stayed. */
  forgetUpTo(sequence: number): void {
    this.#forget.run(sequence);
  }
}

function toSpan(row: Row): RunSpan {
  return {
    firstSequence: numberAt(row, 1),
    lastSequence: numberAt(row, 2),
    toolCalls: numberAt(row, 3),
  };
}
