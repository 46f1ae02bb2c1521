import type { Rule } from '../model.ts';
import { conjunctsOf, type Expression, pathOf, walk } from './expression.ts';
import { literalsOf } from './literal.ts';

/** What a rule compares a fact with, `resource.port` say. */
export function comparedWith(fact: string, rule: Rule): readonly (string | number)[] {
  return comparisonsOf(fact, rule).flatMap(({ args }) => args.flatMap(literalsOf));
}

type Pattern = NonNullable<Expression['pattern']>;

/** What patterns it is to be like, with a wildcard in each. */
export function likenesses(fact: string, rule: Rule): readonly Pattern[] {
  return comparisonsOf(fact, rule).flatMap(({ pattern }) =>
    pattern?.includes(undefined) === true ? [pattern] : [],
  );
}

function comparisonsOf(fact: string, { json }: Rule): readonly Expression[] {
  return conjunctsOf(json.conditions)
    .flatMap(({ expression }) => [...walk(expression)])
    .filter(({ args }) => args.some((arg) => pathOf(arg)?.join('.') === fact));
}
