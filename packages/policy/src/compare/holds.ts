import { type Json, isJsonObject } from '@palyra/kernel';
import type { PolicyContext, PolicyRequest } from '../model.ts';
import { type Expression, pathOf } from './expression.ts';
import { entityOf } from './literal.ts';

/** As much of a request as is known. */
export type Facts = Pick<PolicyRequest, 'principal' | 'resource'> & {
  readonly context?: PolicyContext;
};

/**
 * What a condition comes to; `undefined` where it looks at anything that is not known here.
 * Spares Cedar the questions whose answer is clear. Nothing is decided with it: where it were wrong, a
 * rule would be named as a possible gain instead of what is gained through it.
 */
export function holds(expression: Expression, facts: Facts): boolean | undefined {
  const { op, args } = expression;
  const each = () => args.map((arg) => holds(arg, facts));
  switch (op) {
    case '!':
      return not(each()[0]);
    case '&&':
      return everyOf(each());
    case '||':
      return not(everyOf(each().map(not)));
    case 'has':
      return isThere(expression, facts);
    case 'is':
      return isOfType(expression, facts);
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
const CHANGING: ReadonlySet<string> = new Set(['approval', 'unattended']);

function isThere({ args, name }: Expression, { context }: Facts): boolean | undefined {
  const [left] = args;
  const isPlain = left?.op === 'Var' && left.name === 'context' && !name.includes('.');
  if (context === undefined || !isPlain || CHANGING.has(name)) return undefined;
  return Object.hasOwn(context, name);
}

function isOfType({ args, name }: Expression, facts: Facts): boolean | undefined {
  const [left, group] = args;
  if (left === undefined || group !== undefined) return undefined;
  const entity = entityOf(valueOf(left, facts));
  return entity === undefined ? undefined : entity.type === name;
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
  const [one, other] = [keyOf(left), keyOf(right)];
  return one === undefined || other === undefined ? undefined : one === other;
}

function isAmong(set: Json, some: readonly Json[], how: 'all' | 'any'): boolean | undefined {
  if (!Array.isArray(set)) return undefined;
  const keys = new Set(set.map(keyOf));
  const wanted = some.map(keyOf);
  if (keys.has(undefined) || wanted.includes(undefined)) return undefined;
  return how === 'all' ? wanted.every((key) => keys.has(key)) : wanted.some((key) => keys.has(key));
}

/** Equal for what Cedar calls equal; `undefined` for sets and records, which are compared by parts. */
function keyOf(value: Json): string | undefined {
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
  if (root === 'context')
    return CHANGING.has(path[0] ?? '')
      ? undefined
      : path.reduce<Json | undefined>(fieldOf, facts.context);
  if (path.length > 0) return undefined;
  if (root === 'principal') return { ...facts.principal };
  return root === 'resource' ? { ...facts.resource } : undefined;
}

function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
