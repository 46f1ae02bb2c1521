import type { Json } from '@palyra/kernel';
import type { PolicyContext } from '../model.ts';
import type { Condition } from './condition.ts';
import { type Expression, pathOf } from './expression.ts';
import { CHANGING, fieldOf, valueKey } from './reduced.ts';
import type { Remaining } from './remaining.ts';

/** Of some rules those that a context might meet, in their order. */
export type Sift = (context: PolicyContext) => readonly Remaining[];

/**
 * Sorts rules by a value that each of them needs: most name one host, one command, one folder, so that
 * a situation leaves few of thousands, and the others need not be looked at.
 * Contract: leaves out only what `reduced` would call surely not met, where the context is whole.
 */
export function siftOf(rules: readonly Remaining[]): Sift {
  const always: number[] = [];
  const shelves = new Map<string, Shelf>();
  for (const [place, rule] of rules.entries()) {
    const need = needOf(rule);
    if (need === undefined) always.push(place);
    else put(shelves, need, place);
  }
  return (context) => {
    const found = [...shelves.values()].flatMap((shelf) => foundOn(shelf, context));
    const places = new Set([...always, ...found]);
    return [...places].toSorted((one, other) => one - other).flatMap((place) => rules[place] ?? []);
  };
}

/** What a rule needs: that an attribute is one of these values, or holds one. */
interface Need {
  readonly path: readonly string[];
  readonly keys: readonly string[];
  /** It asks whether the attribute is there at all. */
  readonly isGuarded: boolean;
}

interface Shelf extends Omit<Need, 'keys'> {
  readonly byKey: Map<string, number[]>;
}

function needOf({ read, open }: Remaining): Need | undefined {
  // What fails has a say whether its conditions are met or not.
  if (read.canFail) return undefined;
  for (const condition of open) {
    const need = valueNeeded(condition);
    if (need === undefined) continue;
    const isGuarded = open.some((other) => asksFor(need.path[0] ?? '', other));
    return { ...need, isGuarded };
  }
  return undefined;
}

function valueNeeded({ expression, wants }: Condition): Omit<Need, 'isGuarded'> | undefined {
  const [left, right] = expression.args;
  if (!wants || left === undefined || right === undefined) return undefined;
  switch (expression.op) {
    case '==':
      return needed(left, [right]);
    case 'contains':
      return left.op === 'Set' ? needed(right, left.args) : needed(left, [right]);
    case 'containsAny':
      return right.op === 'Set' ? needed(left, right.args) : undefined;
    case 'containsAll':
      return right.op === 'Set' ? needed(left, right.args.slice(0, 1)) : undefined;
    default:
      return undefined;
  }
}

function needed(where: Expression, what: readonly Expression[]): ReturnType<typeof valueNeeded> {
  const [root, ...path] = pathOf(where) ?? [];
  if (root !== 'context' || CHANGING.has(path[0] ?? '')) return undefined;
  const keys = what.flatMap(({ value }) => (value === undefined ? [] : (valueKey(value) ?? [])));
  return keys.length === what.length && keys.length > 0 ? { path, keys } : undefined;
}

function asksFor(attribute: string, { expression, wants }: Condition): boolean {
  const { op, name, args } = expression;
  const [left] = args;
  return (
    wants && op === 'has' && name === attribute && left?.op === 'Var' && left.name === 'context'
  );
}

function put(shelves: Map<string, Shelf>, need: Need, place: number): void {
  const { path, keys, isGuarded } = need;
  const name = JSON.stringify([path, isGuarded]);
  const shelf = shelves.get(name) ?? { path, isGuarded, byKey: new Map<string, number[]>() };
  shelves.set(name, shelf);
  for (const key of new Set(keys)) {
    const places = shelf.byKey.get(key) ?? [];
    places.push(place);
    shelf.byKey.set(key, places);
  }
}

function foundOn({ path, isGuarded, byKey }: Shelf, context: PolicyContext): readonly number[] {
  if (isGuarded && !Object.hasOwn(context, path[0] ?? '')) return [];
  const value = path.reduce<Json | undefined>(fieldOf, context);
  const values = Array.isArray(value) ? value : [value];
  const keys = values.map((one) => (one === undefined ? undefined : valueKey(one)));
  // What cannot be told apart here is left to whoever looks at the whole condition.
  if (keys.includes(undefined)) return [...byKey.values()].flat();
  return keys.flatMap((key) => byKey.get(key ?? '') ?? []);
}
