import { canonicalJson } from '@palyra/kernel';
import { type Run, RunSchema, RunStatus } from '@palyra/protocol';
import { fromJsonString, toJson } from '@bufbuild/protobuf';
import { type Database, numberAt, type Row, type Statement, textAt } from '../database.ts';

/**
 * A row of table `runs`. The calls are counted apart from the rest, because they change often; the
 * other columns before `canonical` are told by it too, and only there to be searched.
 */
export interface RunRow {
  readonly runId: string;
  readonly startedSequence: number;
  readonly sessionId: string;
  readonly isActive: number;
  readonly toolCalls: number;
  readonly canonical: string;
}

export interface RunListing {
  readonly limit: number;
  readonly sessionId?: string;
}

/** Table `runs`: each run as its entries tell it, written in the same transaction as they are. */
export class RunsTable {
  readonly #write: Statement;
  readonly #get: Statement;
  readonly #newest: Statement;
  readonly #ofSession: Statement;
  readonly #active: Statement;
  readonly #all: Statement;
  readonly #forget: Statement;

  constructor(database: Database) {
    const columns = 'run_id, started_sequence, session_id, is_active, tool_calls, canonical';
    const from = `SELECT ${columns} FROM runs`;
    this.#write = database.prepare(
      `INSERT INTO runs (${columns}) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET is_active = excluded.is_active,
         tool_calls = excluded.tool_calls, canonical = excluded.canonical`,
    );
    this.#get = database.prepare(`${from} WHERE run_id = ?`);
    this.#newest = database.prepare(`${from} ORDER BY started_sequence DESC LIMIT ?`);
    this.#ofSession = database.prepare(
      `${from} WHERE session_id = ? ORDER BY started_sequence DESC LIMIT ?`,
    );
    this.#active = database.prepare(`${from} WHERE is_active = 1 ORDER BY started_sequence`);
    this.#all = database.prepare(from);
    this.#forget = database.prepare(
      'DELETE FROM runs WHERE run_id NOT IN (SELECT run_id FROM run_spans)',
    );
  }

  write(row: RunRow): void {
    const { runId, startedSequence, sessionId, isActive, toolCalls, canonical } = row;
    this.#write.run(runId, startedSequence, sessionId, isActive, toolCalls, canonical);
  }

  get(runId: string): RunRow | undefined {
    const row = this.#get.get(runId);
    return row === undefined ? undefined : toRunRow(row);
  }

  list({ limit, sessionId }: RunListing): RunRow[] {
    const rows =
      sessionId === undefined ? this.#newest.each(limit) : this.#ofSession.each(sessionId, limit);
    return Array.from(rows, toRunRow);
  }

  active(): RunRow[] {
    return Array.from(this.#active.each(), toRunRow);
  }

  *all(): Iterable<RunRow> {
    for (const row of this.#all.each()) yield toRunRow(row);
  }

  /** Drops the runs without a span: their entries are all archived. */
  forgetSpanless(): void {
    this.#forget.run();
  }
}

export function toRow(run: Run, startedSequence: number): RunRow {
  const { toolCalls, ...told } = run;
  return {
    runId: run.runId,
    startedSequence,
    sessionId: run.sessionId,
    isActive: run.status === RunStatus.ACTIVE ? 1 : 0,
    toolCalls,
    canonical: canonicalJson(toJson(RunSchema, { ...told, toolCalls: 0 })),
  };
}

export function toRun(row: RunRow): Run {
  return { ...fromJsonString(RunSchema, row.canonical), toolCalls: row.toolCalls };
}

function toRunRow(row: Row): RunRow {
  return {
    runId: textAt(row, 0),
    startedSequence: numberAt(row, 1),
    sessionId: textAt(row, 2),
    isActive: numberAt(row, 3),
    toolCalls: numberAt(row, 4),
    canonical: textAt(row, 5),
  };
}
