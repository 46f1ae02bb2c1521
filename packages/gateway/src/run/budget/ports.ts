/** What somebody may use in a day. It is in the store, so it is the same for every gateway. */
export interface BudgetPort {
  /**
   * Takes what a run needs from the day of its principal, and settles what it has spent so far.
   * Contract: durable when it resolves; an exhausted day has changed nothing.
   */
  reserve(reservation: BudgetReservation): Promise<ReservedBudget>;
  /**
   * Counts what the run has spent and gives back the rest. `alongside` is called when that is on its way
   * to the disk: what it appends is written in the same commit or a later one, never in one before.
   * Contract: may be called twice, and for a run that holds nothing; `alongside` must not throw.
   */
  settle(run: SpentBudget, alongside?: () => void): Promise<void>;
}

export interface BudgetAmounts {
  readonly runs: number;
  readonly modelTurns: number;
  readonly toolCalls: number;
  readonly tokens: number;
  readonly costMicroUsd: number;
  readonly approvals: number;
  readonly wallMs: number;
}

export interface SpentBudget {
  readonly runId: string;
  readonly principal: string;
  /** From the beginning of the run on. */
  readonly spent: BudgetAmounts;
}

export interface BudgetReservation extends SpentBudget {
  /** Beyond what is spent; 0 for what is not needed now. */
  readonly need: BudgetAmounts;
}

export type ReservedBudget =
  /** `held` is what the run may use beyond `spent`; at least what it needs. */
  | { readonly kind: 'reserved'; readonly held: BudgetAmounts }
  /** `key` is the setting that says so; `left` of it is less than what was needed, `held` by other runs. */
  | {
      readonly kind: 'exhausted';
      readonly key: string;
      readonly limit: number;
      readonly need: number;
      readonly left: number;
      readonly held: number;
    };
