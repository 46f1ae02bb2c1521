import type { SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyContext, Rule, RuleSet } from '../model.ts';
import type { Case } from './cases.ts';
import { type Condition, type Conditions, type Outcome } from './condition.ts';
import { conjunctsOf } from './expression.ts';
import { mayFail } from './may-fail.ts';
import type { Facts } from './reduced.ts';
import { type Asked, type IsAbout, scopeKey, scopesOf } from './scope.ts';

/** A rule of either set, read once. */
export interface ReadRule {
  readonly rule: Rule;
  /** Different for different rules. */
  readonly place: number;
  /** For which actions, and how strictly: equal for rules that differ in nothing else than conditions. */
  readonly weight: string;
  readonly conditions: readonly Condition[];
  /** What fails has a say whatever its other conditions are, so none of them is foretold. */
  readonly canFail: boolean;
  readonly isChanged: boolean;
  readonly isOf: Readonly<Record<'old' | 'candidate', boolean>>;
}

/** A rule that might apply, and what is left of its conditions; nothing when it surely applies. */
export interface Remaining {
  readonly read: ReadRule;
  /** About the question itself, and not about one that follows it. */
  readonly isOwn: boolean;
  readonly open: readonly Condition[];
}

/** Of both sets, and whatever is in one of them only. */
export interface RulesToCompare {
  readonly old: RuleSet;
  readonly candidate: RuleSet;
  readonly changed: ReadonlySet<Rule>;
  /** Of those that changed, the cases that no rule of the other set covers. */
  readonly cases: ReadonlyMap<Rule, readonly Case[]>;
}

/** Those that stand in both are read once. */
export function readRules(
  { old, candidate, changed }: Omit<RulesToCompare, 'cases'>,
  conditions: Conditions,
): readonly ReadRule[] {
  const ids = new Set(old.rules.map(({ id }) => id));
  const added = candidate.rules.filter((rule) => changed.has(rule) || !ids.has(rule.id));
  const inBoth = (rule: Rule) => !changed.has(rule);
  return [...old.rules, ...added].map((rule, place) => ({
    rule,
    place,
    weight: weightOf(rule),
    conditions: conjunctsOf(rule.json.conditions).map((conjunct) => conditions.of(conjunct)),
    canFail: mayFail(rule),
    isChanged: changed.has(rule),
    isOf: {
      old: place < old.rules.length,
      candidate: place >= old.rules.length || inBoth(rule),
    },
  }));
}

function weightOf({ effect, gate, json }: Rule): string {
  return JSON.stringify([effect, gate, scopeKey(json.action)]);
}

/** What rules can still say, first of who asks for what, then of a situation. */
export class Reading {
  readonly #rules: readonly ReadRule[];
  readonly #conditions: Conditions;
  readonly #isAbout: IsAbout;
  readonly #isAboutItself: IsAbout;

  constructor(rules: readonly ReadRule[], conditions: Conditions, schema: SchemaJson<string>) {
    this.#rules = rules;
    this.#conditions = conditions;
    this.#isAbout = scopesOf(schema, { following: 'included' });
    this.#isAboutItself = scopesOf(schema, { following: 'apart' });
  }

  /** Contract: `known` is what the context holds in every situation. */
  ofPair(asked: Asked, known: PolicyContext): readonly Remaining[] {
    const facts: Facts = { ...asked, context: known, rest: 'unknown' };
    return this.#rules.flatMap((read) => {
      if (!this.#isAbout(read.rule, asked)) return [];
      const open = left(read, read.conditions, (one) => this.#conditions.forPair(one, facts));
      if (open === undefined) return [];
      return [{ read, isOwn: this.#isAboutItself(read.rule, asked), open }];
    });
  }

  /** Contract: `situation` is one object for each situation; the facts are whole. */
  inSituation(
    remaining: readonly Remaining[],
    facts: Facts,
    situation: PolicyContext,
  ): readonly Remaining[] {
    return remaining.flatMap((one) => {
      const open = left(one.read, one.open, (condition) =>
        this.#conditions.inSituation(condition, facts, situation),
      );
      return open === undefined ? [] : [{ ...one, open }];
    });
  }
}

/** `undefined` when one of them surely is not met. */
function left(
  { canFail }: ReadRule,
  conditions: readonly Condition[],
  outcomeOf: (condition: Condition) => Outcome,
): readonly Condition[] | undefined {
  if (canFail) return conditions;
  const open: Condition[] = [];
  for (const condition of conditions) {
    const outcome = outcomeOf(condition);
    if (outcome === false) return undefined;
    if (outcome !== true) open.push(outcome);
  }
  return open;
}
