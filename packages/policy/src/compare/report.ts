import type { DecisionKind } from '@palyra/protocol';

/** `palyra.v1.BacktestReport` as plain data. */
export interface BacktestReport {
  readonly candidateHash: string;
  readonly calls: bigint;
  readonly unchanged: bigint;
  readonly widened: bigint;
  readonly narrowed: bigint;
  readonly skipped: bigint;
  /** Calls that do not fit the schema of the candidate: it cannot say anything to them. */
  readonly unjudged: bigint;
  /** Most frequent first. */
  readonly changes: readonly ChangedDecisions[];
  /** Changed calls that are in none of these groups, because there were too many groups. */
  readonly others: bigint;
}

export interface ChangedDecisions {
  readonly tool: string;
  readonly principal: string;
  readonly before: DecisionKind;
  readonly after: DecisionKind;
  readonly ruleIds: readonly string[];
  readonly count: bigint;
  readonly widened: boolean;
  readonly examples: readonly string[];
}
