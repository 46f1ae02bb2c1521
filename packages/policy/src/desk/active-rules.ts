import { type Log, PalyraError, redact } from '@palyra/kernel';
import { type Decider, createDecider } from '../engine/decider.ts';
import type { Engine } from '../engine/engine.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { RuleSet } from '../model.ts';

export interface ActiveRulesParts {
  readonly engine: Engine;
  /** What is in force at this moment. Contract: `undefined` only before the first was taken. */
  inForce(): RuleSet | undefined;
  readonly log: Log;
}

/**
 * The set in force, ready to decide. It is loaded when somebody first asks, by whoever asks first;
 * the others wait.
 */
export class ActiveRules {
  readonly #parts: ActiveRulesParts;
  #active: { readonly loaded: LoadedSet; readonly decider: Decider } | undefined;
  #loading: { readonly hash: string; readonly done: Promise<void> } | undefined;

  constructor(parts: ActiveRulesParts) {
    this.#parts = parts;
  }

  /** What decides at once, another one for another set; `undefined` while that is to be loaded. */
  get ready(): Decider | undefined {
    const set = this.#parts.inForce();
    return this.#active?.loaded.set.hash === set?.hash ? this.#active?.decider : undefined;
  }

  /**
   * Contract: decides with the set that is in force when it resolves, and rejects with
   * POLICY_DENIED when that cannot be loaded; the next one who asks tries again.
   */
  async decider(): Promise<Decider> {
    for (;;) {
      const { ready } = this;
      if (ready !== undefined) return ready;
      await this.#load();
    }
  }

  /** For what looks closer than a decision does. Contract: as `decider`. */
  async loaded(): Promise<LoadedSet> {
    await this.decider();
    if (this.#active !== undefined) return this.#active.loaded;
    throw new PalyraError('UNEXPECTED', 'the rules are ready, and are not there');
  }

  #load(): Promise<void> {
    const set = this.#parts.inForce();
    if (set === undefined) return Promise.reject(notReady());
    if (this.#loading?.hash === set.hash) return this.#loading.done;
    const loading = { hash: set.hash, done: this.#take(set) };
    this.#loading = loading;
    const forget = () => {
      if (this.#loading === loading) this.#loading = undefined;
    };
    loading.done.then(forget, forget);
    return loading.done;
  }

  async #take(set: RuleSet): Promise<void> {
    try {
      const loaded = await this.#parts.engine.load(set, 'active');
      const decider = createDecider();
      decider.use(loaded);
      this.#active = { loaded, decider };
    } catch (reason) {
      this.#parts.log.error('the rules could not be loaded, everything is denied', {
        policySetHash: set.hash,
        error: redact(reason),
      });
      throw notReady(reason);
    }
  }
}

function notReady(cause?: unknown): PalyraError {
  return new PalyraError('POLICY_DENIED', 'the rules could not be loaded, so nothing is allowed', {
    help: 'look at the daemon log around this time',
    cause,
  });
}
