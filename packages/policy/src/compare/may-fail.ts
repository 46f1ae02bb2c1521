import { type Expression, conjunctsOf, pathOf, walk } from './expression.ts';
import type { Rule } from '../model.ts';

const OVERFLOWING = new Set(['+', '-', '*', 'neg', 'getTag']);
/** Functions that answer whatever they are given; a constant that is none is refused at load. */
const SAFE_FUNCTIONS = new Set([
  'ip',
  'decimal',
  'datetime',
  'duration',
  'isIpv4',
  'isIpv6',
  'isLoopback',
  'isMulticast',
  'isInRange',
  'lessThan',
  'lessThanOrEqual',
  'greaterThan',
  'greaterThanOrEqual',
]);
const OPERATORS = new Set(
  (
    'Value Var ! == != in < <= > >= && || contains containsAll containsAny isEmpty hasTag . has ' +
    'like is if-then-else Set Record'
  ).split(' '),
);

/**
 * Whether a rule of a validated set could end in an evaluation error. One that does denies, so taking
 * it away would allow more, permit or not. A request states its principal and its resource with all
 * their attributes; of other entities nothing is known.
 */
export function mayFail({ json }: Rule): boolean {
  return conjunctsOf(json.conditions).some(({ expression }) =>
    walk(expression).some((part) => isRisky(part)),
  );
}

function isRisky(part: Expression): boolean {
  if (OVERFLOWING.has(part.op)) return true;
  if (part.op === '.') return reachesFar(part);
  return !OPERATORS.has(part.op) && !SAFE_FUNCTIONS.has(part.op);
}

function reachesFar(part: Expression): boolean {
  const path = pathOf(part);
  // Parts of the context are records: the request was validated, so what is required is there.
  if (path?.[0] === 'context') return false;
  return path === undefined || path.length > 2;
}
