import { type Clock, PalyraError } from '@palyra/kernel';
import type { ModelRequest, ModelUsage } from './model-port.ts';
import type { ModelDesk } from './ports.ts';

/** Tests cost money: so many at once, whoever asks. */
const MOST_TESTS = 4;
const MOST_TEXT = 500;

/** How a model answered when somebody only wanted to know whether it does. */
export interface TestedModel {
  readonly name: string;
  /** What it said, cut. */
  readonly text: string;
  readonly usage: ModelUsage | undefined;
  /** 0 when it said nothing. */
  readonly firstTokenMs: number;
  readonly totalMs: number;
  readonly error: PalyraError | undefined;
}

export interface OfferedModels {
  readonly names: readonly string[];
  /** Why the provider did not say. */
  readonly error: PalyraError | undefined;
}

const QUESTION: ModelRequest = {
  system: '',
  conversation: [{ role: 'user', text: 'Answer with the one word: ready' }],
  tools: [],
  // A model that thinks needs room for that, too.
  maxOutputTokens: 2048,
};

/** The models that are configured, and whether they answer. */
export class ModelFlows {
  readonly desk: ModelDesk;
  readonly #clock: Clock;
  #tests = 0;

  constructor(desk: ModelDesk, clock: Clock) {
    this.desk = desk;
    this.#clock = clock;
  }

  /** Contract: a provider that does not say is an answer; rejects with the signal's reason only. */
  async offered(signal: AbortSignal): Promise<OfferedModels> {
    try {
      return { names: await this.desk.offered(signal), error: undefined };
    } catch (reason) {
      signal.throwIfAborted();
      return { names: [], error: PalyraError.from(reason) };
    }
  }

  /**
   * Contract: a model that fails is an answer; rejects with NOT_FOUND for a name that nobody has
   * configured, OVERLOADED while too many are tested, and the signal's reason.
   */
  async test(name: string, signal: AbortSignal): Promise<TestedModel> {
    if (this.#tests >= MOST_TESTS) {
      throw new PalyraError('OVERLOADED', `${MOST_TESTS} models are tested already`);
    }
    this.#tests += 1;
    try {
      return await this.#ask(name, signal);
    } finally {
      this.#tests -= 1;
    }
  }

  async #ask(name: string, signal: AbortSignal): Promise<TestedModel> {
    const begun = this.#now();
    const full = this.#fullName(name);
    let text = '';
    let usage: ModelUsage | undefined;
    let firstTokenMs = 0;
    let error: PalyraError | undefined;
    try {
      for await (const event of this.desk.ask(name, QUESTION, signal)) {
        if (firstTokenMs === 0 && event.kind !== 'usage') firstTokenMs = this.#now() - begun;
        if (event.kind === 'text') text = (text + event.text).slice(0, MOST_TEXT);
        if (event.kind === 'usage') usage = event;
      }
    } catch (reason) {
      signal.throwIfAborted();
      error = PalyraError.from(reason);
      if (error.code === 'NOT_FOUND') throw error;
    }
    const totalMs = this.#now() - begun;
    return { name: full, text: text.toWellFormed(), usage, firstTokenMs, totalMs, error };
  }

  #fullName(name: string): string {
    const found = this.desk.list().find((model) => name === '' && model.isDefault);
    return found?.name ?? name;
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
