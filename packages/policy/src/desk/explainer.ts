import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PolicyExplanation } from '@palyra/protocol';
import { decide } from '../engine/decide.ts';
import type { Engine } from '../engine/engine.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import { toMessage } from '../explain/explanation.ts';
import type { PolicyRequest, RuleSet } from '../model.ts';
import type { KnownTools } from '../sets/check-rule.ts';
import type { ActiveRules } from './active-rules.ts';
import { Turns } from './turns.ts';

export interface ExplainerParts {
  readonly engine: Engine;
  readonly rules: Pick<ActiveRules, 'loaded'>;
  readonly inForce: () => RuleSet | undefined;
  /** Those that rules may name. */
  readonly nameable: KnownTools;
}

const MOST_WAITING = 8;

/**
 * Explains on the thread that decides, so that it must not have much of it: one explanation at a time,
 * and everybody else has a turn between its steps.
 */
export class Explainer {
  readonly #parts: ExplainerParts;
  readonly #turns = new Turns(MOST_WAITING);
  /** Whoever asks about a decision of another day asks about the next one, too. */
  #earlier: LoadedSet | undefined;

  constructor(parts: ExplainerParts) {
    this.#parts = parts;
  }

  /** With the rules in force unless others are found. Contract: OVERLOADED when too many wait. */
  explain(request: PolicyRequest, find?: () => Promise<RuleSet>): Promise<PolicyExplanation> {
    return this.#turns.take(async () => {
      const { explain } = await import('../explain/explain.ts');
      const loaded = await this.#loaded(await find?.());
      await nextTurn();
      const decision = decide(loaded, request);
      await nextTurn();
      return toMessage(await explain(loaded, decision, this.#parts.nameable));
    });
  }

  async #loaded(set: RuleSet | undefined): Promise<LoadedSet> {
    const { rules, engine, inForce } = this.#parts;
    if (set === undefined || set.hash === inForce()?.hash) return await rules.loaded();
    if (this.#earlier?.set.hash !== set.hash) {
      this.#earlier = undefined;
      this.#earlier = await engine.load(set, 'scratch');
    }
    return this.#earlier;
  }
}
