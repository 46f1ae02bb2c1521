import type { RuleDay } from '../activity-tally.ts';
import { type Database, numberAt, type Row, type Statement, textAt } from '../database.ts';

/** So many days on which a rule decided are kept. */
export const MOST_DAYS = 35;

/** Table `rule_days`: how often each rule decided on a day, up to the entry that `projection` names. */
export class RuleDays {
  readonly #add: Statement;
  readonly #from: Statement;
  readonly #trim: Statement;

  constructor(database: Database) {
    this.#add = database.prepare(
      `INSERT INTO rule_days (day, rule_id, count, last_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (day, rule_id) DO UPDATE
       SET count = count + excluded.count, last_at = max(last_at, excluded.last_at)`,
    );
    this.#from = database.prepare(
      'SELECT day, rule_id, count, last_at FROM rule_days WHERE day >= ? ORDER BY day, rule_id',
    );
    this.#trim = database.prepare(
      `DELETE FROM rule_days WHERE day <
       (SELECT DISTINCT day FROM rule_days ORDER BY day DESC LIMIT 1 OFFSET ${MOST_DAYS - 1})`,
    );
  }

  /** Adds to what is there. */
  add({ day, ruleId, count, lastAt }: RuleDay): void {
    this.#add.run(day, ruleId, count, lastAt);
  }

  /** Forgets the oldest days that are too many. */
  trim(): void {
    this.#trim.run();
  }

  *from(day: string): Iterable<RuleDay> {
    for (const row of this.#from.each(day)) yield toRuleDay(row);
  }
}

function toRuleDay(row: Row): RuleDay {
  return {
    day: textAt(row, 0),
    ruleId: textAt(row, 1),
    count: numberAt(row, 2),
    lastAt: textAt(row, 3),
  };
}
