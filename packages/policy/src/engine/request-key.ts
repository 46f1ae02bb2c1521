import { isJsonObject, type Json } from '@palyra/kernel';
import type { PolicyRequest, Rule } from '../model.ts';

/**
 * A text that is equal for requests which these rules cannot tell apart: what none of them reads of
 * the context, such as the id of a run, leaves only its shape, because a request that does not fit
 * the schema is denied. Taken from how the rules are written, not from what we understand of them: Cedar
 * has no way to an attribute but its name, or the context as a whole.
 */
export function requestKeyFor(rules: readonly Rule[]): (request: PolicyRequest) => string {
  const written = JSON.stringify(rules.map(({ json }) => json.conditions));
  const parts = ATTRIBUTES_OF_CONTEXT.map((attribute) => countOf(written, attribute));
  const isWhole = countOf(written, CONTEXT) !== parts.reduce((sum, count) => sum + count, 0);
  const keep = memoised(
    (name) => isWhole || ASKED_THROUGH.has(name) || written.includes(JSON.stringify(name)),
  );
  return ({ principal, action, resource, context, entities }) => {
    const told: unknown[] = [principal, action, resource, entities];
    for (const name of Object.keys(context).toSorted()) {
      told.push(name, keep(name) ? context[name] : shapeOf(context[name]));
    }
    return JSON.stringify(told);
  };
}

const CONTEXT = '{"Var":"context"}';
/** As Cedar writes `context.x` and `context has x.y`; in any other form the context counts as a whole. */
const ATTRIBUTES_OF_CONTEXT = ['"', '['].map((name) => `{"left":${CONTEXT},"attr":${name}`);

/** Gates are asked about through these two, whoever reads them. */
const ASKED_THROUGH: ReadonlySet<string> = new Set(['approval', 'unattended']);

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

function memoised(isTrue: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const answer = known.get(name) ?? isTrue(name);
    known.set(name, answer);
    return answer;
  };
}

/** Longer texts stay: they count towards what a request may hold. */
const MAX_DROPPED_LENGTH = 128;

function shapeOf(value: Json | undefined): unknown {
  if (typeof value === 'string') return isDropped(value) ? 'text' : [value];
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : [value];
  // A reference to one of the schema's words is valid or not by its id, Cedar's own forms by what is in them.
  if (!isJsonObject(value) || 'id' in value || '__extn' in value) return [value];
  // Not as a list: that is how what stays is told.
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

function isDropped(text: string): boolean {
  return text.length <= MAX_DROPPED_LENGTH && text.isWellFormed();
}
