import type { Conjunct, Expression } from './expression.ts';

/** Whether all of these conditions hold wherever all of those do, as far as their form shows it. */
export function impliesAll(those: readonly Conjunct[], these: readonly Conjunct[]): boolean {
  return these.every((wanted) => those.some((known) => implies(known, wanted)));
}

/** `a` implies `a || b`; not to be among two implies not to be one of them. */
function implies(known: Conjunct, wanted: Conjunct): boolean {
  if (known.key === wanted.key || isWithin(known, wanted)) return true;
  const [some, others] = [choicesOf(known), choicesOf(wanted)];
  if (some.kind === 'any' && others.kind === 'any') return some.keys.isSubsetOf(others.keys);
  return some.kind === 'none' && others.kind === 'none' && others.keys.isSubsetOf(some.keys);
}

/** What is nothing but `a` is nothing but `a` or `b`. */
function isWithin(known: Conjunct, wanted: Conjunct): boolean {
  const [some, others] = [known, wanted].map(({ expression: { op, args }, wants }) =>
    wants && op === 'containsAll' && args[0]?.op === 'Set' ? args : undefined,
  );
  if (some === undefined || others === undefined || some[1]?.key !== others[1]?.key) return false;
  const keys = new Set(others[0]?.args.map(({ key }) => key));
  return some[0]?.args.every(({ key }) => keys.has(key)) ?? false;
}

/** Of these, any holds, or none does. */
interface Choices {
  readonly kind: 'any' | 'none';
  readonly keys: ReadonlySet<string>;
}

function choicesOf({ expression, wants }: Conjunct): Choices {
  const isDenial = !wants && expression.op === '&&';
  if (isDenial) return { kind: 'any', keys: new Set(negated(expression)) };
  return { kind: wants ? 'any' : 'none', keys: new Set(alternatives(expression)) };
}

/** `!(a && b)` is `!a || !b`. */
function negated(expression: Expression): readonly string[] {
  if (expression.op === '&&') return expression.args.flatMap(negated);
  return [`not ${expression.key}`];
}

function alternatives(expression: Expression): readonly string[] {
  const { op, args, key } = expression;
  const [left, right] = args;
  if (op === '||') return args.flatMap(alternatives);
  if (op === '!' && left !== undefined) return negated(left);
  if (left === undefined || right === undefined) return [key];
  if (op === 'contains' && left.op === 'Set') return left.args.map((one) => equality(one, right));
  if (op === 'containsAny' && right.op === 'Set') {
    return right.args.map((one) => membership(left, one));
  }
  if (op === 'containsAny' && left.op === 'Set') {
    return left.args.map((one) => membership(right, one));
  }
  if (op === 'in') {
    const places = right.op === 'Set' ? right.args : [right];
    return places.map((one) => `below ${left.key} ${one.key}`);
  }
  if (op === '==') return [equality(left, right)];
  return op === 'contains' ? [membership(left, right)] : [key];
}

function equality(one: Expression, other: Expression): string {
  return `same ${[one.key, other.key].toSorted().join(' ')}`;
}

function membership(set: Expression, one: Expression): string {
  return `holds ${set.key} ${one.key}`;
}
