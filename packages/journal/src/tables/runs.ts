import { create, fromJsonString } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { ErrorDetailSchema, type Run, RunSchema, RunStatus, StopReason } from '@palyra/protocol';
import { type Database, numberAt, type Row, type Statement, textAt } from '../database.ts';

/** A row of table `runs`: what the entries tell of a run, all but its tool calls (see `RunSpans`). */
export interface RunRow {
  readonly startedSequence: number;
  readonly runId: string;
  readonly sessionId: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  /** Empty while it goes on. */
  readonly endedAt: string;
  readonly principal: string;
  readonly model: string;
  readonly prompt: string;
  /** Canonical JSON; empty without one. */
  readonly error: string;
  readonly stopReason: StopReason;
}

export interface UnendedRun extends Pick<RunRow, 'runId' | 'status'> {
  readonly firstSequence: number;
}

export interface RunListing {
  readonly limit: number;
  readonly sessionId: string | undefined;
  /** Only runs that were asked for before the entry with this sequence number. */
  readonly before: number;
  readonly principal: string | undefined;
}

/** A run of any other status may go on: its entries stay in the store. */
const ENDED: readonly RunStatus[] = [RunStatus.COMPLETED, RunStatus.CANCELLED, RunStatus.FAILED];

/** These go on, or will by themselves. */
const UNDER_WAY: readonly RunStatus[] = [RunStatus.ACTIVE, RunStatus.QUEUED];

/** Characters. One more than is shown of a prompt, so that whoever shows it sees that it goes on. */
const LISTED_PROMPT = 501;

export function hasEnded({ status }: Pick<RunRow, 'status'>): boolean {
  return ENDED.includes(status);
}

export function isUnderWay({ status }: Pick<RunRow, 'status'>): boolean {
  return UNDER_WAY.includes(status);
}

/** Table `runs`: each run as its entries tell it, up to the one that table `projection` names. */
export class RunsTable {
  readonly #write: Statement;
  readonly #get: Statement;
  readonly #newest: Statement;
  readonly #ofSession: Statement;
  readonly #active: Statement;
  readonly #firstUnended: Statement;
  readonly #all: Statement;
  readonly #forget: Statement;

  constructor(database: Database) {
    const columns =
      'started_sequence, run_id, session_id, status, started_at, ended_at, principal, model, prompt, error, stop_reason';
    const whole = `SELECT ${columns} FROM runs`;
    const listed = whole.replace('prompt', `substr(prompt, 1, ${LISTED_PROMPT})`);
    const ofPrincipal = 'AND principal = coalesce(?, principal)';
    this.#write = database.prepare(
      `INSERT OR REPLACE INTO runs (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#get = database.prepare(`${whole} WHERE run_id = ?`);
    this.#newest = database.prepare(
      `${listed} WHERE started_sequence < ? ${ofPrincipal} ORDER BY started_sequence DESC LIMIT ?`,
    );
    this.#ofSession = database.prepare(
      `${listed} WHERE session_id = ? AND started_sequence < ? ${ofPrincipal} ORDER BY started_sequence DESC LIMIT ?`,
    );
    this.#active = database.prepare(`${whole} WHERE status IN (${UNDER_WAY.join(', ')})`);
    this.#firstUnended = database.prepare(
      `SELECT first_sequence, run_id, status FROM runs JOIN run_spans USING (run_id)
       WHERE status NOT IN (${ENDED.join()}) ORDER BY first_sequence LIMIT 1`,
    );
    this.#all = database.prepare(whole);
    this.#forget = database.prepare(
      'DELETE FROM runs WHERE run_id NOT IN (SELECT run_id FROM run_spans)',
    );
  }

  write(row: RunRow): void {
    this.#write.run(
      row.startedSequence,
      row.runId,
      row.sessionId,
      row.status,
      row.startedAt,
      row.endedAt,
      row.principal,
      row.model,
      row.prompt,
      row.error,
      row.stopReason,
    );
  }

  get(runId: string): RunRow | undefined {
    const row = this.#get.get(runId);
    return row === undefined ? undefined : toRunRow(row);
  }

  /** Newest first, with the beginning of each prompt. */
  list({ limit, sessionId, before, principal }: RunListing): RunRow[] {
    const whose = principal ?? null;
    const rows =
      sessionId === undefined
        ? this.#newest.each(before, whose, limit)
        : this.#ofSession.each(sessionId, before, whose, limit);
    return Array.from(rows, toRunRow);
  }

  active(): RunRow[] {
    return Array.from(this.#active.each(), toRunRow);
  }

  /** The run that may go on whose first entry is the oldest. Contract: `undefined` when all have ended for good. */
  firstUnended(): UnendedRun | undefined {
    const row = this.#firstUnended.get();
    if (row === undefined) return undefined;
    return { firstSequence: numberAt(row, 0), runId: textAt(row, 1), status: statusAt(row, 2) };
  }

  *all(): Iterable<RunRow> {
    for (const row of this.#all.each()) yield toRunRow(row);
  }

  /** Drops the runs without a span: their entries are all archived. */
  forgetSpanless(): void {
    this.#forget.run();
  }
}

/** As much of a prompt as a list shows. */
export function cutPrompt(prompt: string): string {
  // A character takes up to two code units.
  return Array.from(prompt.slice(0, 2 * LISTED_PROMPT))
    .slice(0, LISTED_PROMPT)
    .join('');
}

export function toRun(row: RunRow, toolCalls: number): Run {
  const { startedSequence: _startedSequence, error, ...told } = row;
  if (error === '') return create(RunSchema, { ...told, toolCalls });
  return create(RunSchema, { ...told, toolCalls, error: fromJsonString(ErrorDetailSchema, error) });
}

function toRunRow(row: Row): RunRow {
  return {
    startedSequence: numberAt(row, 0),
    runId: textAt(row, 1),
    sessionId: textAt(row, 2),
    status: statusAt(row, 3),
    startedAt: textAt(row, 4),
    endedAt: textAt(row, 5),
    principal: textAt(row, 6),
    model: textAt(row, 7),
    prompt: textAt(row, 8),
    error: textAt(row, 9),
    stopReason: stopReasonAt(row, 10),
  };
}

function statusAt(row: Row, place: number): RunStatus {
  const value = numberAt(row, place);
  const status = STATUSES.find((known) => known === value);
  if (status === undefined) throw unknownWord('status');
  return status;
}

function stopReasonAt(row: Row, place: number): StopReason {
  const value = numberAt(row, place);
  const reason = STOP_REASONS.find((known) => known === value);
  if (reason === undefined) throw unknownWord('stop reason');
  return reason;
}

function unknownWord(word: string): PalyraError {
  return new PalyraError('JOURNAL_CORRUPT', `the store holds an unknown ${word} of a run`);
}

const STATUSES = Object.values(RunStatus);
const STOP_REASONS = Object.values(StopReason);
