import type { PolicyContext } from '../model.ts';
import type { Conjunct, Expression } from './expression.ts';
import { CHANGING, type Facts, reduced } from './reduced.ts';
import { attributesIn, variablesIn } from './attributes.ts';

/** A condition of a rule, or what is left of one; one object for all rules that have it. */
export interface Condition {
  readonly id: number;
  readonly expression: Expression;
  /** How it must come out for the rule to apply. */
  readonly wants: boolean;
  /** Of the context, at its first level. */
  readonly attributes: ReadonlySet<string> | 'all';
  readonly depends: Dependence;
}

/**
 * On what: on an approval that is asked for later; on the situation; or on who asks and for what as
 * well.
 */
type Dependence = 'approval' | 'situation' | 'everything';

/** Met, not met, or what is left of it. */
export type Outcome = boolean | Condition;

/** Reads conditions, each once: most rules have some in common, and most questions the situation. */
export class Conditions {
  readonly #known = new Map<string, Condition>();
  readonly #outcomes = new Map<Condition, Map<PolicyContext, Outcome>>();

  of({ expression, wants }: Pick<Conjunct, 'expression' | 'wants'>): Condition {
    const key = `${String(wants)} ${expression.key}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const attributes = attributesIn(expression);
    const depends = dependenceOf(expression, attributes);
    const made = { id: this.#known.size, expression, wants, attributes, depends };
    this.#known.set(key, made);
    return made;
  }

  /** As far as it can be said whoever asks, and for what. */
  forPair(condition: Condition, facts: Facts): Outcome {
    return condition.depends === 'everything' ? this.#reduce(condition, facts) : condition;
  }

  /** Contract: `situation` is one object for each situation; the facts are whole. */
  inSituation(condition: Condition, facts: Facts, situation: PolicyContext): Outcome {
    if (condition.depends === 'approval') return condition;
    if (condition.depends === 'everything') return this.#reduce(condition, facts);
    const outcomes = this.#outcomes.get(condition) ?? new Map<PolicyContext, Outcome>();
    this.#outcomes.set(condition, outcomes);
    const outcome = outcomes.get(situation) ?? this.#reduce(condition, facts);
    outcomes.set(situation, outcome);
    return outcome;
  }

  #reduce(condition: Condition, facts: Facts): Outcome {
    const left = reduced(condition.expression, facts);
    if (typeof left === 'boolean') return left === condition.wants;
    return this.of({ expression: left, wants: condition.wants });
  }
}

/** Of the context, what is the same in every situation: it comes with what is asked for. */
export const OF_TARGET = ['capabilities', 'permission'];

function dependenceOf(expression: Expression, attributes: Condition['attributes']): Dependence {
  const isOfPair =
    attributes === 'all' ||
    OF_TARGET.some((name) => attributes.has(name)) ||
    !variablesIn(expression).isSubsetOf(ONLY_CONTEXT);
  if (isOfPair) return 'everything';
  return attributes.isSubsetOf(CHANGING) ? 'approval' : 'situation';
}

const ONLY_CONTEXT: ReadonlySet<string> = new Set(['context']);
