import type { Clock } from '@palyra/kernel';
import type { RecordsPort } from '@palyra/records';
import { type Amounts, type Counted, each } from './amounts.ts';
import { BudgetBooks } from './budget-books.ts';
import type { BudgetSettings } from './budgets-section.ts';
import { Clerk, type Decided } from './clerk.ts';
import { type Account, settle, take } from './ledger.ts';

/** What somebody may use in a day, and what is left of it. */
export interface Budgets {
  /**
   * Takes what a run needs from the day of its principal, and settles what it has spent so far.
   * Contract: durable when it resolves; an exhausted day has changed nothing.
   */
  reserve(reservation: Reservation): Promise<Reserved>;
  /**
   * Counts what the run has spent and gives back the rest. `alongside` is called when that is on its way
   * to the disk: what it appends is written in the same commit or a later one, never in one before.
   * Contract: may be called twice, and for a run that holds nothing; `alongside` must not throw.
   */
  settle(run: SettledRun, alongside?: () => void): Promise<void>;
}

export interface SettledRun {
  readonly runId: string;
  readonly principal: string;
  /** From the beginning of the run on. */
  readonly spent: Amounts;
}

export interface Reservation extends SettledRun {
  /** Beyond what is spent; 0 for what is not needed now. */
  readonly need: Amounts;
}

export type Reserved =
  /** `held` is what the run may use beyond `spent`; at least what it needs. */
  | { readonly kind: 'reserved'; readonly held: Amounts }
  /** `key` is the setting that says so; `left` of it is less than what was needed, `held` by other runs. */
  | {
      readonly kind: 'exhausted';
      readonly key: string;
      readonly limit: number;
      readonly need: number;
      readonly left: number;
      readonly held: number;
    };

export interface BudgetParts {
  readonly records: RecordsPort;
  readonly clock: Clock;
  readonly settings: BudgetSettings;
}

export function createBudgets({ records, clock, settings }: BudgetParts): Budgets {
  const books = new BudgetBooks(records, () => clock.now().toISOString().slice(0, 10));
  const clerks = new Map<string, Clerk>();
  const clerkOf = (principal: string) => {
    const clerk =
      clerks.get(principal) ?? new Clerk(books, principal, () => clerks.delete(principal));
    clerks.set(principal, clerk);
    return clerk;
  };
  const limits = each((counted) => settings[KEYS[counted]]);
  return {
    reserve: (wish) =>
      clerkOf(wish.principal).do(wish.runId, (account) => reserved(account, wish, limits)),
    settle: ({ principal, runId, spent }, alongside) => {
      const settled = (account: Account) => ({
        account: account.lease === undefined ? account : settle(account, spent),
        answer: undefined,
      });
      return clerkOf(principal).do(runId, settled, alongside);
    },
  };
}

const KEYS: Readonly<Record<Counted, keyof BudgetSettings>> = {
  runs: 'day_runs',
  modelTurns: 'day_turns',
  toolCalls: 'day_tool_calls',
  tokens: 'day_tokens',
  costMicroUsd: 'day_cost_micro_usd',
  approvals: 'day_approvals',
  wallMs: 'day_wall_ms',
};

function reserved(account: Account, wish: Reservation, limits: Amounts): Decided<Reserved> {
  const taking = take(account, wish, limits);
  if (taking.kind === 'taken') {
    const { held } = taking.account.lease;
    return { account: taking.account, answer: { kind: 'reserved', held } };
  }
  const { counted, left, held } = taking;
  const key = `budgets.${KEYS[counted]}`;
  const short = { limit: limits[counted], need: wish.need[counted], left, held };
  return { account, answer: { kind: 'exhausted', key, ...short } };
}
