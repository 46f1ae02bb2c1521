import { isJsonObject } from '@palyra/kernel';
import type { EntityRef } from '../model.ts';
import type { Expression } from './expression.ts';

/** A constant as a situation can have it: an entity by its id. */
export function literalOf({ op, value }: Expression): string | number | undefined {
  if (op !== 'Value') return undefined;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return entityOf(value)?.id;
}

export function entityOf(value: unknown): EntityRef | undefined {
  const entity = isJsonObject(value) ? (value['__entity'] ?? value) : undefined;
  if (!isJsonObject(entity)) return undefined;
  const { type, id } = entity;
  return typeof type === 'string' && typeof id === 'string' ? { type, id } : undefined;
}

/** The constants of a set that stands in a rule, or one constant by itself. */
export function literalsOf(expression: Expression): readonly (string | number)[] {
  const parts = expression.op === 'Set' ? expression.args : [expression];
  return parts.flatMap((part) => {
    const literal = literalOf(part);
    return literal === undefined ? [] : [literal];
  });
}

/** The constants of a set that stands in a rule, all of them; `undefined` for anything else. */
export function literalsIn(expression: Expression): readonly (string | number)[] | undefined {
  if (expression.op !== 'Set') return undefined;
  const literals = literalsOf(expression);
  return literals.length === expression.args.length ? literals : undefined;
}
