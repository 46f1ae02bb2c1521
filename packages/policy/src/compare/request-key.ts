import { isJsonObject, type Json } from '@palyra/kernel';
import type { PolicyRequest, Rule } from '../model.ts';
import { conjunctsOf, type Expression, pathOf, walk } from './expression.ts';

/**
 * A text that is equal for requests which these rules cannot tell apart: what none of them reads of
 * the context, such as the id of a run, leaves only its shape, because a request that does not fit
 * the schema is denied.
 */
export function requestKeyFor(rules: readonly Rule[]): (request: PolicyRequest) => string {
  const read = attributesRead(rules);
  const written = JSON.stringify(rules.map(({ json }) => json.conditions));
  // No rule reads what none of them names: this holds whether or not we understand them.
  const keep = memoised(
    (name) => read === 'all' || read.has(name) || written.includes(JSON.stringify(name)),
  );
  return ({ principal, action, resource, context, entities }) => {
    const parts: unknown[] = [principal, action, resource, entities];
    for (const name of Object.keys(context).toSorted()) {
      parts.push(name, keep(name) ? context[name] : shapeOf(context[name]));
    }
    return JSON.stringify(parts);
  };
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
  // A reference to one of the schema's words is valid or not by its id.
  if (!isJsonObject(value) || 'id' in value) return [value];
  // Not as a list: that is how what stays is told.
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

function isDropped(text: string): boolean {
  return text.length <= MAX_DROPPED_LENGTH && text.isWellFormed();
}

/** Of the context, at its first level; `all` when a rule uses it as a whole. */
function attributesRead(rules: readonly Rule[]): ReadonlySet<string> | 'all' {
  const read = new Set<string>();
  for (const { json } of rules) {
    const conditions = conjunctsOf(json.conditions).map(({ expression }) => expression);
    if (contextsWalked(conditions) !== contextsWritten(json)) return 'all';
    for (const expression of conditions) {
      const names = attributesIn(expression);
      if (names === 'all') return 'all';
      for (const name of names) read.add(name);
    }
  }
  // Gates are asked about through these two, whoever reads them.
  return read.add('approval').add('unattended');
}

/** How often they speak of the context, as far as we understand them. */
function contextsWalked(conditions: readonly Expression[]): number {
  const parts = conditions.flatMap((condition) => [...walk(condition)]);
  return parts.filter(({ op, name }) => op === 'Var' && name === 'context').length;
}

/** The same as it is written: a form of Cedar's that we do not know must not hide what it reads. */
function contextsWritten({ conditions }: Rule['json']): number {
  return JSON.stringify(conditions).split(CONTEXT).length - 1;
}

const CONTEXT = '{"Var":"context"}';

/** Likewise, of one condition. */
export function attributesIn(expression: Expression): ReadonlySet<string> | 'all' {
  const read = new Set<string>();
  for (const part of walk(expression)) {
    const name = attributeOf(part);
    if (name !== undefined) read.add(name);
    else if (usesContext(part)) return 'all';
  }
  return read;
}

/** Which of `principal`, `action`, `resource` and `context` a condition speaks of. */
export function variablesIn(expression: Expression): ReadonlySet<string> {
  const variables = walk(expression).filter(({ op }) => op === 'Var');
  return new Set(variables.map(({ name }) => name));
}

function attributeOf({ op, args, name }: Expression): string | undefined {
  if (op !== '.' && op !== 'has') return undefined;
  const [left] = args;
  if (left === undefined || pathOf(left)?.join('.') !== 'context') return undefined;
  return op === 'has' ? name.split('.')[0] : name;
}

function usesContext({ args }: Expression): boolean {
  return args.some(({ op, name }) => op === 'Var' && name === 'context');
}
