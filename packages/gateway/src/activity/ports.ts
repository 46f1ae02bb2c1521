/** What was counted while entries were written: asking for it reads no journal. */
export interface ActivityPort {
  /** Hours in which something was counted, oldest first, from the one of `since` on. */
  hours(since: Date): Promise<readonly ActivityHour[]>;
  /** How often each rule decided from the day of `since` on, in no order. */
  rules(since: Date): Promise<readonly RuleCount[]>;
}

export interface ActivityHour extends ActivityCounts {
  /** When it begins. */
  readonly start: Date;
}

export interface ActivityCounts {
  /** That were started. */
  readonly runs: number;
  /** Calls that were decided, one way or the other. */
  readonly callsAllowed: number;
  readonly callsDenied: number;
  /** Questions that were put to people. */
  readonly callsAsked: number;
  readonly callsFailed: number;
  readonly tokens: number;
  readonly costMicroUsd: number;
}

export interface RuleCount {
  readonly ruleId: string;
  readonly count: number;
  /** RFC 3339, UTC. */
  readonly lastAt: string;
}
