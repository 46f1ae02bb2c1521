import { type ModelUsage, type RunSpending, StopReason } from '@palyra/protocol';
import type { GatewayParts } from '../../parts.ts';
import { type LimitReached, budgetReached, turnTooLarge } from '../limit-reached.ts';
import { type DayShare, type DayWish, NO_AMOUNTS } from './day-share.ts';
import type { BudgetAmounts } from './ports.ts';
import { type Spending, afterTurn, spendingMessage } from './spending.ts';
import { Stopwatch, type StopwatchParts } from './stopwatch.ts';

export type BudgetParts = Pick<GatewayParts, 'clock' | 'settings'> & Pick<StopwatchParts, 'onRest'>;

/** Reserved for what a model answers; what it really says counts in the end. */
const OUTPUT_TOKENS = 4_096;
/** As long an answer as is asked for unless somebody set more: none is cut short while the day still has a piece. */
const LONG_OUTPUT_TOKENS = 16_384;
/** The least time that is taken of a day at once; whoever works for longer takes more meanwhile. */
const TIME: BudgetAmounts = { ...NO_AMOUNTS, wallMs: 1_000 };
/** Whoever waits for people for longer holds nothing of the day meanwhile. */
const REST_MS = 2_000;
/** The least that a run which begins needs: a turn, however short what it is asked. */
const FIRST_TURN: BudgetAmounts = {
  ...TIME,
  runs: 1,
  modelTurns: 1,
  tokens: OUTPUT_TOKENS,
  costMicroUsd: 1,
};

/** What one turn of a model takes, before it is asked. */
export interface TurnNeed {
  readonly inputTokens: number;
  /** With an answer of so many tokens, in millionths of a US dollar. Contract: 0 without a price. */
  readonly priceWith: (outputTokens: number) => number;
}

/**
 * What one run may still use, of its own budgets and of the day of whoever it works for. Everything
 * is reserved before it is used, and settled to what it came to.
 */
export class RunBudget {
  readonly watch: Stopwatch;
  readonly #day: DayShare;
  readonly #parts: BudgetParts;
  readonly #over = new AbortController();
  readonly #closed = new AbortController();
  #isComingToRest = false;
  readonly #calls: Set<string>;
  #spent: Spending;
  #reached: LimitReached | undefined;

  /** `past` is what the run had spent before this gateway drives it. */
  constructor(day: DayShare, past: Spending, parts: BudgetParts) {
    this.#day = day;
    this.#parts = parts;
    this.#spent = past;
    this.#calls = new Set(past.calls);
    const { max_wall_ms: limitMs } = parts.settings;
    const onOver = () => void this.#onOver();
    const { clock } = parts;
    const onRest = () => {
      parts.onRest?.();
      void this.#rest();
    };
    this.watch = new Stopwatch({ clock, limitMs, spentMs: past.wallMs, onOver, onRest });
  }

  /** The limit that a call ran into: the run is over when the calls beside it are. */
  get reached(): LimitReached | undefined {
    return this.#reached;
  }

  /** Aborted when the run has worked for too long: with a LimitReached, or with why the day cannot be asked for more. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get spent(): Spending {
    return { ...this.#spent, calls: this.#calls, wallMs: this.watch.wallMs };
  }

  get message(): RunSpending {
    return spendingMessage(this.spent);
  }

  /** When a run begins, before anything else: what its first turn needs is taken meanwhile. */
  takeAhead(): void {
    this.#day.takeAhead(FIRST_TURN);
  }

  /**
   * Before a model is asked, with what that takes by estimate. Gives how many tokens it may answer
   * with. Contract: throws LimitReached.
   */
  async reserveTurn(turn: TurnNeed): Promise<number> {
    const { inputTokens } = turn;
    const { max_turns, max_tokens, max_cost_micro_usd } = this.#parts.settings;
    const { modelTurns, tokens, costMicroUsd = 0, costliestTurn } = this.#spent;
    const needTokens = inputTokens + OUTPUT_TOKENS;
    const needCost = Math.max(1, costliestTurn, Math.ceil(turn.priceWith(OUTPUT_TOKENS)));
    if (modelTurns >= max_turns)
      throw budgetReached(StopReason.MODEL_TURNS, 'runs.max_turns', max_turns);
    const ownTokens = Math.max(0, max_tokens - tokens);
    if (needTokens > ownTokens) {
      const short = { key: 'runs.max_tokens', limit: max_tokens };
      throw turnTooLarge(StopReason.TOKENS, { ...short, need: needTokens, left: ownTokens });
    }
    const ownMoney = Math.max(0, max_cost_micro_usd - costMicroUsd);
    if (needCost > ownMoney) {
      const short = { key: 'runs.max_cost_micro_usd', limit: max_cost_micro_usd };
      throw turnTooLarge(StopReason.MONEY, { ...short, need: needCost, left: ownMoney });
    }
    const runs = modelTurns === 0 ? 1 : 0;
    const need = { ...TIME, runs, modelTurns: 1, tokens: needTokens, costMicroUsd: needCost };
    const use = () => {
      this.#spent = { ...this.#spent, modelTurns: modelTurns + 1 };
      return undefined;
    };
    const lacking = await this.#fromDay({ need, want: withLongAnswer(need, turn), use });
    if (lacking !== undefined) throw lacking;
    // Others of the same principal hold the rest of the day.
    const day = this.#day.left(this.#amounts);
    const leftTokens = Math.min(ownTokens, day.tokens) - inputTokens;
    return Math.min(leftTokens, affordable(turn, Math.min(ownMoney, day.costMicroUsd)));
  }

  settleTurn(usage: ModelUsage | undefined): void {
    this.#spent = afterTurn(this.#spent, usage);
  }

  /** Before a call is made. Gives the limit when there is none left; the call is then refused. */
  async reserveCall(callId: string): Promise<LimitReached | undefined> {
    if (this.#calls.has(callId)) return undefined;
    const { max_tool_calls: limit } = this.#parts.settings;
    const use = () => {
      if (this.#calls.size >= limit)
        return budgetReached(StopReason.TOOL_CALLS, 'runs.max_tool_calls', limit);
      this.#calls.add(callId);
      return undefined;
    };
    const lacking = await this.#fromDay({ need: { ...NO_AMOUNTS, toolCalls: 1 }, use });
    this.#reached ??= lacking;
    return lacking;
  }

  /** Before a person is asked. Contract: rejects with LimitReached. */
  async reserveQuestion(): Promise<void> {
    const { max_approvals: limit } = this.#parts.settings;
    const use = () => {
      const { approvals } = this.#spent;
      if (approvals >= limit)
        return budgetReached(StopReason.APPROVALS, 'runs.max_approvals', limit);
      this.#spent = { ...this.#spent, approvals: approvals + 1 };
      return undefined;
    };
    const lacking = await this.#fromDay({ need: { ...NO_AMOUNTS, approvals: 1 }, use });
    this.#reached ??= lacking;
    if (lacking !== undefined) throw lacking;
  }

  /**
   * Tells the day what the run came to. Contract: the run's end is recorded `alongside`, and not before:
   * what an ended run holds nobody would give back.
   */
  async close(alongside?: () => void): Promise<void> {
    this.watch[Symbol.dispose]();
    this.#closed.abort('closed');
    await this.#day.settle(this.#amounts, alongside);
  }

  get #amounts(): BudgetAmounts {
    return amountsOf({ ...this.#spent, wallMs: this.watch.wallMs }, this.#calls.size);
  }

  async #fromDay(wish: Omit<DayWish, 'spent'>): Promise<LimitReached | undefined> {
    const lacking = await this.#day.take({ ...wish, spent: () => this.#amounts });
    this.#pace();
    return lacking;
  }

  /** Contract: never rejects; what cannot be given back stays held until the run ends. */
  async #rest(): Promise<void> {
    if (this.#isComingToRest) return;
    this.#isComingToRest = true;
    try {
      await this.#parts.clock.sleep(REST_MS, this.#closed.signal);
      if (!this.watch.isResting) return;
      await this.#day.giveBack(() => this.#amounts);
      this.#pace();
    } catch {
      // The run is over, or the store is in trouble, which whoever needs it next is told.
    } finally {
      this.#isComingToRest = false;
    }
  }

  /** The run may work as long as its piece of the day lasts, and never longer than its own limit. */
  #pace(): void {
    const spent = this.#amounts;
    const ofDay = spent.wallMs + this.#day.left(spent).wallMs;
    this.watch.until(Math.min(this.#parts.settings.max_wall_ms, ofDay));
  }

  /** Contract: never rejects. */
  async #onOver(): Promise<void> {
    const { max_wall_ms: limit } = this.#parts.settings;
    try {
      const lacking =
        this.watch.wallMs >= limit
          ? budgetReached(StopReason.WALL_TIME, 'runs.max_wall_ms', limit)
          : await this.#fromDay({ need: TIME, use: () => undefined });
      if (lacking !== undefined) this.#over.abort(lacking);
    } catch (reason) {
      this.#over.abort(reason);
    }
  }
}

function withLongAnswer(need: BudgetAmounts, { inputTokens, priceWith }: TurnNeed): BudgetAmounts {
  return {
    ...need,
    tokens: inputTokens + LONG_OUTPUT_TOKENS,
    costMicroUsd: Math.max(need.costMicroUsd, Math.ceil(priceWith(LONG_OUTPUT_TOKENS))),
  };
}

/** How many tokens of an answer so much money pays for. Contract: it pays for some. */
function affordable({ priceWith }: TurnNeed, leftMicroUsd: number): number {
  const asking = priceWith(0);
  const million = priceWith(1_000_000) - asking;
  if (!(million > 0)) return Infinity;
  return Math.max(OUTPUT_TOKENS, Math.floor(((leftMicroUsd - asking) * 1_000_000) / million));
}

/** What a day counts of a run. */
export function amountsOf(spent: Spending, toolCalls = spent.calls.size): BudgetAmounts {
  return {
    runs: spent.modelTurns > 0 ? 1 : 0,
    modelTurns: spent.modelTurns,
    toolCalls,
    tokens: spent.tokens,
    costMicroUsd: spent.costMicroUsd ?? 0,
    approvals: spent.approvals,
    wallMs: spent.wallMs,
  };
}
