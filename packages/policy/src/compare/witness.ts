import { isDeepStrictEqual } from 'node:util';
import type { Rule } from '../model.ts';
import { type Edit, adding, omitting, setting, stating } from './edit.ts';
import { type Conjunct, type Expression, conjunctsOf, pathOf } from './expression.ts';
import { literalOf, literalsIn, literalsOf } from './literal.ts';
import { filling } from './set-edit.ts';
import type { Situation } from './situation.ts';

/** What has to be done to a plain situation, all of it, for a condition to come out as wanted. */
export type Witness = readonly Edit[];

/** So many ways to meet one rule, or one of its cases, are tried. */
const MAX_WITNESSES = 12;

/**
 * Situations in which a rule is likely to apply. Neither complete nor sure: whatever is asked is
 * asked of the rules, so a bad guess costs one question and nothing else.
 */
export function witnessesOf({ json }: Rule): readonly Witness[] {
  return witnessesOfCase(conjunctsOf(json.conditions));
}

export function witnessesOfCase(conjuncts: readonly Conjunct[]): readonly Witness[] {
  return conjuncts
    .map(({ expression, wants }) => ways(expression, wants))
    .reduce<readonly Witness[]>(both, [[]]);
}

/** Each circumstance that the conditions of a rule speak of, by itself, as it must and as it must not be. */
export function circumstancesOf({ json }: Rule): readonly Witness[] {
  return conjunctsOf(json.conditions).flatMap(({ expression, wants }) => [
    ...ways(expression, wants),
    ...ways(expression, !wants),
  ]);
}

function ways(expression: Expression, wants: boolean): readonly Witness[] {
  const { op, args } = expression;
  switch (op) {
    case '!':
      return args.flatMap((arg) => ways(arg, !wants));
    case '&&':
    case '||':
      return inEither(args, wants, op === '&&');
    case 'if-then-else':
      return either(args.flatMap((arg) => ways(arg, wants)));
    default:
      return either(waysOfOne(expression, wants).map((edit) => [edit]));
  }
}

function inEither(args: readonly Expression[], wants: boolean, isAnd: boolean): readonly Witness[] {
  const each = args.map((arg) => ways(arg, wants));
  return isAnd === wants ? each.reduce(both, [[]]) : either(each.flat());
}

function both(left: readonly Witness[], right: readonly Witness[]): readonly Witness[] {
  return left.flatMap((one) => right.map((other) => [...one, ...other])).slice(0, MAX_WITNESSES);
}

/** Whatever nothing can be done about is left as it is. */
function either(found: readonly Witness[]): readonly Witness[] {
  return found.length === 0 ? [[]] : found.slice(0, MAX_WITNESSES);
}

function waysOfOne(expression: Expression, wants: boolean): readonly Edit[] {
  const { op, args, name } = expression;
  const [left, right] = args;
  if (left === undefined) return [];
  if (op === 'has') {
    const [attribute = ''] = name.split('.');
    return known(wants ? stating(attribute) : omitting(attribute));
  }
  if (op === 'isEmpty') return wants ? sameSetWays(left, [], wants) : heldWays(left);
  if (right === undefined) return op === 'like' ? likeWays(expression, left, wants) : [];
  return comparedWays(op, { left, right, wants });
}

interface Compared {
  readonly left: Expression;
  readonly right: Expression;
  readonly wants: boolean;
}

function comparedWays(op: string, compared: Compared): readonly Edit[] {
  switch (op) {
    case '==':
      return equalWays(compared);
    case '!=':
      return equalWays({ ...compared, wants: !compared.wants });
    case '<':
    case '<=':
    case '>':
    case '>=':
      return orderWays(op, compared);
    case 'in':
    case 'contains':
    case 'containsAny':
    case 'containsAll':
      return memberWays(op, compared);
    default:
      return [];
  }
}

function equalWays({ left, right, wants }: Compared): readonly Edit[] {
  const path = contextPath(left) ?? contextPath(right);
  const set = literalsIn(right) ?? literalsIn(left);
  if (set !== undefined)
    return sameSetWays(contextPath(left) === undefined ? right : left, set, wants);
  const literal = literalOf(right) ?? literalOf(left);
  if (path === undefined || literal === undefined) return [];
  if (wants) return known(setting(path, literal));
  if (typeof literal === 'number') return known(setting(path, literal + 1));
  return (OTHERS.get(path) ?? ['unnamed'])
    .filter((other) => other !== literal)
    .slice(0, 2)
    .flatMap((other) => known(setting(path, other)));
}

/** Words of the schema: of these there is no other that nobody names. */
const OTHERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['channel', ['cli', 'api', 'schedule']],
  ['tier', ['none', 'C', 'B']],
  ['budget', ['unlimited', 'exhausted', 'within']],
]);

function sameSetWays(
  set: Expression,
  literals: readonly (string | number)[],
  wants: boolean,
): readonly Edit[] {
  const path = contextPath(set);
  if (path === undefined) return [];
  return known(wants ? filling(path, literals) : adding(path, 'unnamed'));
}

/** Something is put in only where nothing is: what another condition has put in stays. */
function heldWays(set: Expression): readonly Edit[] {
  const path = contextPath(set) ?? '';
  const [empty, added] = [filling(path, []), adding(path, 'unnamed')];
  if (empty === undefined || added === undefined) return known(added);
  const isEmpty = (one: Situation) => isDeepStrictEqual(empty.apply(one), one);
  return [{ says: added.says, apply: (one) => (isEmpty(one) ? added.apply(one) : one) }];
}

const ORDERS: ReadonlyMap<string, (left: number, right: number) => boolean> = new Map([
  ['<', (left, right) => left < right],
  ['<=', (left, right) => left <= right],
  ['>', (left, right) => left > right],
  ['>=', (left, right) => left >= right],
]);

/** At the limit and next to it, on the side that is wanted, whichever way the rule is written. */
function orderWays(op: string, { left, right, wants }: Compared): readonly Edit[] {
  const path = contextPath(left) ?? contextPath(right);
  const literal = literalOf(right) ?? literalOf(left);
  if (path === undefined || typeof literal !== 'number') return [];
  const isLeft = contextPath(left) !== undefined;
  const holds = (value: number) =>
    ORDERS.get(op)?.(isLeft ? value : literal, isLeft ? literal : value) === wants;
  return [literal, literal - 1, literal + 1]
    .filter((value) => value >= 0 && Number.isSafeInteger(value) && holds(value))
    .flatMap((value) => known(setting(path, value)));
}

function memberWays(op: string, { left, right, wants }: Compared): readonly Edit[] {
  const set = contextPath(left);
  const one = contextPath(right);
  if (op === 'in' && set !== undefined)
    return one === undefined ? oneOf(set, literalsOf(right)) : [];
  if (set !== undefined) return wants ? oneIn(set, literalsOf(right)) : [];
  return one === undefined ? [] : oneOf(one, wants ? literalsOf(left) : ['unnamed']);
}

function oneOf(path: string, literals: readonly (string | number)[]): readonly Edit[] {
  // `["GET"].containsAll(context.…)` speaks of a set: then one of them is put in.
  return literals.flatMap((literal) => known(setting(path, literal) ?? adding(path, literal)));
}

function oneIn(path: string, literals: readonly (string | number)[]): readonly Edit[] {
  return literals.flatMap((literal) => known(adding(path, literal)));
}

function likeWays(expression: Expression, left: Expression, wants: boolean): readonly Edit[] {
  const path = contextPath(left);
  if (path === undefined || !wants) return [];
  const parts = expression.pattern ?? [];
  return ['unnamed', ''].flatMap((wild) =>
    known(setting(path, parts.map((part) => part ?? wild).join(''))),
  );
}

/** `context.process.name` → `process.name`. */
function contextPath(expression: Expression): string | undefined {
  const [root, ...path] = pathOf(expression) ?? [];
  return root === 'context' && path.length > 0 ? path.join('.') : undefined;
}

function known(edit: Edit | undefined): readonly Edit[] {
  return edit === undefined ? [] : [edit];
}
