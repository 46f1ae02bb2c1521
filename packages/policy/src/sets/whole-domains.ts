import { type Json, isJsonObject } from '@palyra/kernel';
import type { PolicyContext } from '../model.ts';
import { reference } from '../request/words.ts';
import { PLAIN } from '../compare/situation.ts';

/** Of facts together. */
const MAX_GRID = 128;

/**
 * Facts that stand for all that there can be, for a condition that looks at these paths and compares with
 * these numbers; `undefined` when it looks at anything that can be whatever it likes.
 */
export function factsFor(
  paths: readonly (readonly string[])[],
  numbers: readonly number[],
): readonly PolicyContext[] | undefined {
  let grid: readonly PolicyContext[] = [{}];
  for (const path of paths) {
    const values = valuesAt(path.join('.'), numbers);
    if (values === undefined || grid.length * values.length > MAX_GRID) return undefined;
    grid = grid.flatMap((facts) => values.map((value) => withFact(facts, path.slice(1), value)));
  }
  return grid;
}

function valuesAt(path: string, numbers: readonly number[]): readonly Json[] | undefined {
  if (path === 'context.argumentBytes' || path === 'context.bodyBytes') return sizes(numbers);
  return WHOLE.get(path);
}

/** At every limit and next to it, and far from all of them. */
function sizes(numbers: readonly number[]): readonly number[] {
  const near = numbers.flatMap((number) => [number - 1, number, number + 1]);
  const all = [0, 1, Number.MAX_SAFE_INTEGER, ...near].filter(
    (size) => size >= 0 && Number.isSafeInteger(size),
  );
  return [...new Set(all)];
}

function upTo(last: number, first = 0): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, place) => first + place);
}

function words(type: string, ids: string): readonly Json[] {
  return ids.split(' ').map((id) => ({ ...reference(type, id) }));
}

const WHOLE: ReadonlyMap<string, readonly Json[]> = new Map<string, readonly Json[]>([
  // Nobody is asked about what is unattended.
  ['context.unattended', [false]],
  ['context.time.hour', upTo(23)],
  ['context.time.minute', upTo(59)],
  ['context.time.weekday', upTo(7, 1)],
  ['context.channel', words('Channel', 'cli console desktop api schedule worker')],
  ['context.tier', words('Tier', 'none A B C')],
  ['context.budget', words('Budget', 'unlimited within exhausted')],
]);

function withFact(facts: PolicyContext, [head = '', field]: readonly string[], value: Json) {
  if (field === undefined) return { ...facts, [head]: value };
  const before = facts[head] ?? { ...PLAIN.time };
  return { ...facts, [head]: { ...(isJsonObject(before) ? before : {}), [field]: value } };
}
