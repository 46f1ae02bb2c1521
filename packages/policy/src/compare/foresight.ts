import { isDeepStrictEqual } from 'node:util';
import type { Rule } from '../model.ts';
import { type Conjunct, conjunctsOf } from './expression.ts';
import { type Facts, holds } from './holds.ts';
import { mayFail } from './may-fail.ts';
import { isSameDemand } from './suspects.ts';

/** What is plain to see of rules without asking Cedar. Contract: all is within their scope. */
export class Foresight {
  readonly #read = new Map<Rule, ReadRule>();

  mightApply(rule: Rule, facts: Facts): boolean {
    return this.#left(rule, facts) !== undefined;
  }

  surelyApplies(rule: Rule, facts: Facts): boolean {
    return this.#left(rule, facts)?.size === 0;
  }

  /** Those of some that are not among others, too, as far as these facts go. */
  without(some: readonly Rule[], others: readonly Rule[], facts: Facts): readonly Rule[] {
    return some.filter(
      (rule) =>
        this.mightApply(rule, facts) && !others.some((other) => this.#isSame(rule, other, facts)),
    );
  }

  #isSame(rule: Rule, other: Rule, facts: Facts): boolean {
    return (
      rule.effect === other.effect &&
      isSameDemand(rule.gate, other.gate) &&
      isDeepStrictEqual(rule.json.action, other.json.action) &&
      isDeepStrictEqual(this.#left(rule, facts), this.#left(other, facts))
    );
  }

  /** The conditions that are open; `undefined` when one of them surely does not hold. */
  #left(rule: Rule, facts: Facts): ReadonlySet<string> | undefined {
    const { conjuncts, canFail } = this.#readRule(rule);
    const open = new Set<string>();
    for (const { expression, wants, key } of conjuncts) {
      // What fails has a say whatever the other conditions are.
      const holding = canFail ? undefined : holds(expression, facts);
      if (holding === !wants) return undefined;
      if (holding === undefined) open.add(key);
    }
    return open;
  }

  #readRule(rule: Rule): ReadRule {
    const known = this.#read.get(rule);
    if (known !== undefined) return known;
    const read = { conjuncts: conjunctsOf(rule.json.conditions), canFail: mayFail(rule) };
    this.#read.set(rule, read);
    return read;
  }
}

interface ReadRule {
  readonly conjuncts: readonly Conjunct[];
  readonly canFail: boolean;
}
