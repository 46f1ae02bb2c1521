import { type Json, isJsonObject } from '@palyra/kernel';
import type { EntityRef, PolicyContext, PolicyRequest } from '../model.ts';
import { type Expression, pathOf, withArguments } from './expression.ts';
import { entityOf } from './literal.ts';
import { matches } from './pattern.ts';

/** As much of a request as is known. */
export interface Facts extends Pick<PolicyRequest, 'principal' | 'resource' | 'entities'> {
  /** As far as it is known. */
  readonly context: PolicyContext;
  /** Of the context: unknown, or not there. */
  readonly rest: 'unknown' | 'absent';
}

/**
 * What a condition comes to, or what is left of it: whatever looks at what is not known here.
 * Tells questions apart that rules can tell apart, and spares Cedar the others. Nothing is decided with
 * it: where it were wrong, a rule would be named as a possible gain instead of what is gained through it.
 */
export function reduced(expression: Expression, facts: Facts): boolean | Expression {
  const { op, args } = expression;
  const each = () => args.map((arg) => reduced(arg, facts));
  switch (op) {
    case '!':
      return negated(expression, each());
    case '&&':
      return joined(expression, each(), false);
    case '||':
      return joined(expression, each(), true);
    case 'if-then-else':
      return chosen(expression, each());
    default:
      return truthOf(expression, facts) ?? expression;
  }
}

type Part = boolean | Expression;

function negated(expression: Expression, [part = expression]: readonly Part[]): Part {
  return typeof part === 'boolean' ? !part : withArguments(expression, [part]);
}

/** `ends` is what settles it, whatever the others are. */
function joined(expression: Expression, parts: readonly Part[], ends: boolean): Part {
  if (parts.includes(ends)) return ends;
  const open = parts.filter((part) => typeof part !== 'boolean');
  const [first] = open;
  if (first === undefined) return !ends;
  return open.length === 1 ? first : withArguments(expression, open);
}

function chosen(expression: Expression, [condition, yes, no]: readonly Part[]): Part {
  const choice = condition === true ? yes : condition === false ? no : undefined;
  return choice ?? expression;
}

function truthOf(expression: Expression, facts: Facts): boolean | undefined {
  const { op, args } = expression;
  switch (op) {
    case 'has':
      return isThere(expression, facts);
    case 'is':
      return isOfType(expression, facts);
    case 'in':
      return isUnder(expression, facts);
    case '.':
    case 'Value': {
      const value = valueOf(expression, facts);
      return typeof value === 'boolean' ? value : undefined;
    }
    case 'like':
      return isLike(expression, facts);
    default:
      return compared(
        op,
        args.map((arg) => valueOf(arg, facts)),
      );
  }
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

function everyOf(values: readonly (boolean | undefined)[]): boolean | undefined {
  if (values.includes(false)) return false;
  return values.includes(undefined) ? undefined : true;
}

/** Another question follows, in which these are otherwise. */
export const CHANGING: ReadonlySet<string> = new Set(['approval', 'unattended']);

function isThere({ args, name }: Expression, facts: Facts): boolean | undefined {
  const [left] = args;
  if (left === undefined || name.includes('.')) return undefined;
  if (left.op !== 'Var') {
    const record = valueOf(left, facts);
    const isKnown = isJsonObject(record) && entityOf(record) === undefined;
    return isKnown ? Object.hasOwn(record, name) : undefined;
  }
  if (left.name !== 'context') {
    const attrs = statedOf(left.name, facts)?.attrs;
    return attrs === undefined ? undefined : Object.hasOwn(attrs, name);
  }
  if (CHANGING.has(name)) return undefined;
  if (Object.hasOwn(facts.context, name)) return true;
  return facts.rest === 'absent' ? false : undefined;
}

function isOfType({ args, name }: Expression, facts: Facts): boolean | undefined {
  const [left, group] = args;
  if (left === undefined || group !== undefined) return undefined;
  const entity = entityOf(valueOf(left, facts));
  return entity === undefined ? undefined : entity.type === name;
}

/** Of those who ask and what is asked for, all groups are stated; of other entities, nothing is. */
function isUnder({ args }: Expression, facts: Facts): boolean | undefined {
  const [left, right] = args;
  if (left?.op !== 'Var' || right === undefined) return undefined;
  const entity = variable(left.name, facts);
  const above = entityOf(valueOf(right, facts));
  const parents = statedOf(left.name, facts)?.parents;
  if (entity === undefined || above === undefined || parents === undefined) return undefined;
  return [entity, ...parents].some(({ type, id }) => type === above.type && id === above.id);
}

function isLike({ args, pattern }: Expression, facts: Facts): boolean | undefined {
  const [left] = args;
  const text = left === undefined ? undefined : valueOf(left, facts);
  return typeof text === 'string' && pattern !== undefined ? matches(text, pattern) : undefined;
}

function compared(op: string, [left, right]: readonly (Json | undefined)[]): boolean | undefined {
  if (left === undefined) return undefined;
  if (op === 'isEmpty') return Array.isArray(left) ? left.length === 0 : undefined;
  if (right === undefined) return undefined;
  switch (op) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return not(isEqual(left, right));
    case 'contains':
      return isAmong(left, [right], 'all');
    case 'containsAll':
      return Array.isArray(right) ? isAmong(left, right, 'all') : undefined;
    case 'containsAny':
      return Array.isArray(right) ? isAmong(left, right, 'any') : undefined;
    default:
      return typeof left === 'number' && typeof right === 'number'
        ? inOrder(op, left, right)
        : undefined;
  }
}

function inOrder(op: string, left: number, right: number): boolean | undefined {
  switch (op) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return undefined;
  }
}

function isEqual(left: Json, right: Json): boolean | undefined {
  if (Array.isArray(left) && Array.isArray(right)) {
    return everyOf([isAmong(left, right, 'all'), isAmong(right, left, 'all')]);
  }
  const [one, other] = [valueKey(left), valueKey(right)];
  return one === undefined || other === undefined ? undefined : one === other;
}

function isAmong(set: Json, some: readonly Json[], how: 'all' | 'any'): boolean | undefined {
  if (!Array.isArray(set)) return undefined;
  const keys = new Set(set.map(valueKey));
  const wanted = some.map(valueKey);
  if (keys.has(undefined) || wanted.includes(undefined)) return undefined;
  return how === 'all' ? wanted.every((key) => keys.has(key)) : wanted.some((key) => keys.has(key));
}

/** Equal for what Cedar calls equal; `undefined` for sets and records, which are compared by parts. */
export function valueKey(value: Json): string | undefined {
  const entity = entityOf(value);
  if (entity !== undefined) return `entity ${JSON.stringify([entity.type, entity.id])}`;
  return typeof value === 'object' ? undefined : `${typeof value} ${String(value)}`;
}

function valueOf(expression: Expression, facts: Facts): Json | undefined {
  const { op, args, value } = expression;
  if (op === 'Value') return value;
  if (op === 'Set') {
    const parts = args.map((arg) => valueOf(arg, facts));
    return parts.every((part) => part !== undefined) ? parts : undefined;
  }
  const [root, ...path] = pathOf(expression) ?? [];
  if (root === undefined) return undefined;
  if (root === 'context') {
    return CHANGING.has(path[0] ?? '') ? undefined : path.reduce(fieldOf, facts.context);
  }
  if (path.length > 0) return path.reduce(fieldOf, attributesOf(root, facts));
  const entity = variable(root, facts);
  return entity === undefined ? undefined : { ...entity };
}

/** `undefined` for what is no record, or has it not. */
export function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function variable(name: string, { principal, resource }: Facts): EntityRef | undefined {
  if (name === 'principal') return principal;
  return name === 'resource' ? resource : undefined;
}

function statedOf(name: string, facts: Facts) {
  const entity = variable(name, facts);
  return facts.entities.find(({ uid }) => uid.type === entity?.type && uid.id === entity.id);
}

function attributesOf(name: string, facts: Facts): Json | undefined {
  const attrs = statedOf(name, facts)?.attrs;
  return attrs === undefined ? undefined : { ...attrs };
}
