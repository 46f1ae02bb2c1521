import { type LimitReached, dayReached } from '../limit-reached.ts';
import type { PrincipalRun } from '../run-note.ts';
import type { BudgetAmounts, BudgetPort } from './ports.ts';

/** A piece of the day: so much beyond what was spent when it was taken. */
interface DayPiece {
  readonly held: BudgetAmounts;
  readonly at: BudgetAmounts;
}

export interface DayWish {
  /** What the run has spent from its beginning on, when its turn has come. */
  readonly spent: () => BudgetAmounts;
  /** Beyond that; 0 for what is not needed now. */
  readonly need: BudgetAmounts;
  /** What would be better still: with less, another piece is taken if the day has one. */
  readonly want?: BudgetAmounts;
  /** Called at once when there is enough: nobody else gets the same piece. */
  readonly use: () => LimitReached | undefined;
}

const COUNTED = [
  'runs',
  'modelTurns',
  'toolCalls',
  'tokens',
  'costMicroUsd',
  'approvals',
  'wallMs',
] as const;

function each(amount: (counted: (typeof COUNTED)[number]) => number): BudgetAmounts {
  return {
    runs: amount('runs'),
    modelTurns: amount('modelTurns'),
    toolCalls: amount('toolCalls'),
    tokens: amount('tokens'),
    costMicroUsd: amount('costMicroUsd'),
    approvals: amount('approvals'),
    wallMs: amount('wallMs'),
  };
}

export const NO_AMOUNTS: BudgetAmounts = each(() => 0);

/** What one run holds of the day of whoever it works for. */
export class DayShare {
  readonly #run: PrincipalRun;
  readonly #budgets: BudgetPort;
  #piece: DayPiece = { held: NO_AMOUNTS, at: NO_AMOUNTS };
  #last: Promise<unknown> = Promise.resolve();

  constructor(run: PrincipalRun, budgets: BudgetPort) {
    this.#run = run;
    this.#budgets = budgets;
  }

  /**
   * Takes a piece for a run that begins, while its beginning is recorded, so that both share a commit.
   * Whoever takes later waits for it. What fails or is lacking now is so again, and is told, then.
   */
  takeAhead(need: BudgetAmounts): void {
    const wish = { spent: () => NO_AMOUNTS, need, use: () => undefined };
    this.take(wish).catch(() => undefined);
  }

  /** One after the other: two at once would take the same piece of the day twice. */
  async take(wish: DayWish): Promise<LimitReached | undefined> {
    const turn = this.#last.then(() => this.#takeNow(wish));
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  /** What the run holds and has not used yet, of which nobody else can use anything. */
  left(spent: BudgetAmounts): BudgetAmounts {
    const { held, at } = this.#piece;
    return each((counted) => held[counted] - (spent[counted] - at[counted]));
  }

  /**
   * Gives back what is not used, for a run that does nothing for a while: others may need it.
   * Contract: whoever takes later waits for it, and takes a new piece.
   */
  async giveBack(spentBy: () => BudgetAmounts): Promise<void> {
    const turn = this.#last.then(async () => {
      const spent = spentBy();
      const { runId, principal } = this.#run;
      await this.#budgets.settle({ runId, principal, spent });
      this.#piece = { held: NO_AMOUNTS, at: spent };
    });
    this.#last = turn.catch(() => undefined);
    await turn;
  }

  /** Contract: tells the day what the run came to, and gives back the rest; `alongside` as of the port. */
  async settle(spent: BudgetAmounts, alongside?: () => void): Promise<void> {
    await this.#last;
    const { runId, principal } = this.#run;
    await this.#budgets.settle({ runId, principal, spent }, alongside);
  }

  async #takeNow(wish: DayWish): Promise<LimitReached | undefined> {
    const { spent: spentBy, need, want = need, use } = wish;
    const spent = spentBy();
    if (!covers(this.#piece, spent, want)) {
      const { runId, principal } = this.#run;
      const answer = await this.#budgets.reserve({ runId, principal, spent, need });
      if (answer.kind === 'exhausted') return dayReached(answer);
      this.#piece = { held: answer.held, at: spent };
    }
    return use();
  }
}

function covers({ held, at }: DayPiece, spent: BudgetAmounts, need: BudgetAmounts): boolean {
  return COUNTED.every(
    (counted) =>
      need[counted] === 0 || spent[counted] - at[counted] + need[counted] <= held[counted],
  );
}
