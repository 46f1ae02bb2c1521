import type { HourCounts } from '../activity-tally.ts';
import { type Database, numberAt, type Row, type Statement, textAt } from '../database.ts';

/** So many hours in which something happened are kept: of 400 days at least. */
export const MOST_HOURS = 400 * 24;

/** Table `activity_hours`: what was counted of each hour, up to the entry that `projection` names. */
export class ActivityHours {
  readonly #add: Statement;
  readonly #from: Statement;
  readonly #trim: Statement;

  constructor(database: Database) {
    const added = COUNTS.map(
      (name) => `${name} = min(${name} + excluded.${name}, ${Number.MAX_SAFE_INTEGER})`,
    );
    this.#add = database.prepare(
      `INSERT INTO activity_hours (hour, ${COUNTS.join()}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (hour) DO UPDATE SET ${added.join()}`,
    );
    this.#from = database.prepare(
      `SELECT hour, ${COUNTS.join()} FROM activity_hours WHERE hour >= ? ORDER BY hour`,
    );
    this.#trim = database.prepare(
      `DELETE FROM activity_hours WHERE hour <
       (SELECT hour FROM activity_hours ORDER BY hour DESC LIMIT 1 OFFSET ${MOST_HOURS - 1})`,
    );
  }

  /** Adds to what is there. */
  add(hour: string, counts: HourCounts): void {
    this.#add.run(
      hour,
      counts.runs,
      counts.callsAllowed,
      counts.callsAsked,
      counts.callsDenied,
      counts.callsFailed,
      counts.tokens,
      counts.costMicroUsd,
    );
  }

  /** Forgets the oldest that are too many. */
  trim(): void {
    this.#trim.run();
  }

  *from(hour: string): Iterable<readonly [hour: string, counts: HourCounts]> {
    for (const row of this.#from.each(hour)) yield [textAt(row, 0), toCounts(row)];
  }
}

const COUNTS = [
  'runs',
  'calls_allowed',
  'calls_asked',
  'calls_denied',
  'calls_failed',
  'tokens',
  'cost_micro_usd',
];

function toCounts(row: Row): HourCounts {
  return {
    runs: numberAt(row, 1),
    callsAllowed: numberAt(row, 2),
    callsAsked: numberAt(row, 3),
    callsDenied: numberAt(row, 4),
    callsFailed: numberAt(row, 5),
    tokens: numberAt(row, 6),
    costMicroUsd: numberAt(row, 7),
  };
}
