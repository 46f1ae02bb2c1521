import { type Database, numberAt, type Row, type Statement, textAt } from '../database.ts';

export interface RunSpan {
  readonly firstSequence: number;
  /** No entry of the run comes after this one; it is a multiple of the step. */
  readonly lastSequence: number;
  /** Tool calls that have finished, whatever their outcome. */
  readonly toolCalls: number;
}

/** Spans grow in steps, so that most entries of a run need not touch its row. */
const STEP = 1024;
/** Runs whose span is remembered; of others it is read. */
const MAX_REMEMBERED = 4096;

/** The end of the span of a run whose newest entry has this sequence number. */
export function spanEnd(sequence: number): number {
  return Math.ceil(sequence / STEP) * STEP;
}

/**
 * Table `run_spans`: between which entries those of a run lie, so that nobody looks elsewhere, and
 * how many tool calls are among them. Rows are small, because every call that finishes changes one.
 */
export class RunSpans {
  readonly #extend: Statement;
  readonly #count: Statement;
  readonly #get: Statement;
  readonly #all: Statement;
  readonly #forget: Statement;
  /** INVARIANT: as in the table. A commit that fails ends all writing, so it need not be undone. */
  readonly #ends = new Map<string, number>();

  constructor(database: Database) {
    this.#extend = database.prepare(
      `INSERT INTO run_spans (run_id, first_sequence, last_sequence, tool_calls)
       VALUES (?, ?, ?, 0) ON CONFLICT DO UPDATE SET last_sequence = excluded.last_sequence`,
    );
    this.#count = database.prepare(
      'UPDATE run_spans SET tool_calls = tool_calls + 1 WHERE run_id = ?',
    );
    const columns = 'run_id, first_sequence, last_sequence, tool_calls';
    this.#get = database.prepare(`SELECT ${columns} FROM run_spans WHERE run_id = ?`);
    this.#all = database.prepare(`SELECT ${columns} FROM run_spans`);
    this.#forget = database.prepare('DELETE FROM run_spans WHERE last_sequence <= ?');
  }

  /** Makes the span of the run reach to an entry. */
  cover(runId: string, sequence: number): void {
    const known = this.#ends.get(runId);
    if (known !== undefined && sequence <= known) return;
    const end = known ?? this.get(runId)?.lastSequence ?? 0;
    const covered = sequence <= end ? end : spanEnd(sequence);
    if (sequence > end) this.#extend.run(runId, sequence, covered);
    if (this.#ends.size >= MAX_REMEMBERED) this.#ends.clear();
    this.#ends.set(runId, covered);
  }

  /** Contract: the span of the run has been made to reach to the entry that tells of the call. */
  countToolCall(runId: string): void {
    this.#count.run(runId);
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
    this.#ends.clear();
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
