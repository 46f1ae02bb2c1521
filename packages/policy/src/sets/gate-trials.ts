import type { Clause, Expr, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import { readExpression, walk } from '../compare/expression.ts';
import { looksAt } from '../explain/conjuncts.ts';
import type { PolicyContext } from '../model.ts';
import { contextReads } from './rule-walk.ts';
import { factsFor } from './whole-domains.ts';

/** A gate with everything decided that is not about approvals, once for each way it can come out. */
export interface GateTrials {
  readonly policies: readonly PolicyJson[];
  /** There is no other way. */
  readonly areAll: boolean;
}

/** Whether a condition holds, given these facts. */
export type Holds = (body: Expr, facts: PolicyContext) => boolean;

/** Of one evaluation each, over all gates. What is not looked at may come out either way. */
const MAX_LOOKS = 2_000;

export class TrialMaker {
  readonly #most: number;
  readonly #holds: Holds;
  readonly #known = new Map<string, boolean | undefined>();
  #looks = 0;

  constructor(most: number, holds: Holds) {
    this.#most = most;
    this.#holds = holds;
  }

  trialsOf({ conditions }: PolicyJson): GateTrials {
    const atoms = new Map<string, Expr>();
    for (const { body } of conditions) collect(body, atoms);
    const settled = new Map<string, boolean>();
    const free: string[] = [];
    for (const [key, body] of atoms) {
      const always = this.#always(key, body);
      if (always === undefined) free.push(key);
      else settled.set(key, always);
    }
    const areAll = 2 ** free.length <= this.#most;
    const ways = areAll ? everyWay(free) : someWays(free).slice(0, this.#most);
    const policies = ways.map((way) => trialOf(conditions, new Map([...settled, ...way])));
    return { policies, areAll };
  }

  /** How a condition comes out wherever somebody might be asked; `undefined` when that differs. */
  #always(key: string, body: Expr): boolean | undefined {
    if (!this.#known.has(key)) this.#known.set(key, this.#look(body));
    return this.#known.get(key);
  }

  #look(body: Expr): boolean | undefined {
    const numbers = [...walk(readExpression(body))].flatMap(({ value }) =>
      typeof value === 'number' ? [value] : [],
    );
    const grid = factsFor(looksAt(body), numbers);
    if (grid === undefined || this.#looks + grid.length > MAX_LOOKS) return undefined;
    this.#looks += grid.length;
    const found = new Set(grid.map((facts) => this.#holds(body, facts)));
    const [only] = found;
    return found.size === 1 ? only : undefined;
  }
}

type Way = readonly (readonly [key: string, holds: boolean])[];

function everyWay(keys: readonly string[]): readonly Way[] {
  return Array.from({ length: 2 ** keys.length }, (_, number) =>
    keys.map((key, place) => [key, Math.floor(number / 2 ** place) % 2 === 1] as const),
  );
}

/** None, all, all but one, and one alone. */
function someWays(keys: readonly string[]): readonly Way[] {
  const way = (holds: (key: string) => boolean): Way =>
    keys.map((key) => [key, holds(key)] as const);
  return [
    way(() => false),
    way(() => true),
    ...keys.flatMap((one) => [way((key) => key === one), way((key) => key !== one)]),
  ];
}

function trialOf(conditions: readonly Clause[], way: ReadonlyMap<string, boolean>): PolicyJson {
  return {
    principal: { op: 'All' },
    action: { op: 'All' },
    resource: { op: 'All' },
    effect: 'forbid',
    conditions: conditions.map(({ kind, body }) => ({
      kind,
      body: rewrite(body, (atom) => ({ Value: way.get(keyOf(atom)) ?? false })),
    })),
  };
}

function collect(body: Expr, atoms: Map<string, Expr>): void {
  rewrite(body, (atom) => {
    atoms.set(keyOf(atom), atom);
    return atom;
  });
}

function keyOf(body: Expr): string {
  return readExpression(body).key;
}

/** Every largest condition in it that an approval has no part in is changed. */
function rewrite(body: Expr, change: (atom: Expr) => Expr): Expr {
  const { attributes, isWhole } = contextReads(body);
  if (!isWhole && !attributes.has('approval')) return change(body);
  const inner = (part: Expr) => rewrite(part, change);
  if ('&&' in body && 'left' in body['&&']) return { '&&': both(body['&&'], inner) };
  if ('||' in body && 'left' in body['||']) return { '||': both(body['||'], inner) };
  if ('!' in body && 'arg' in body['!']) return { '!': { arg: inner(body['!'].arg) } };
  if ('if-then-else' in body && 'if' in body['if-then-else']) {
    const { if: question, then: yes, else: no } = body['if-then-else'];
    // It stands there twice then, and one in another would double with each.
    if (holdsBranch(question)) return body;
    const asked = inner(question);
    const either = { '&&': { left: asked, right: inner(yes) } };
    const other = { '&&': { left: { '!': { arg: asked } }, right: inner(no) } };
    return { '||': { left: either, right: other } };
  }
  const equal = equalityIn(body);
  if (equal === undefined || !isTruth(equal.left) || !isTruth(equal.right)) return body;
  return '==' in body ? { '==': both(equal, inner) } : { '!=': both(equal, inner) };
}

function holdsBranch(body: Expr): boolean {
  return walk(readExpression(body)).some(({ op }) => op === 'if-then-else');
}

interface Pair {
  readonly left: Expr;
  readonly right: Expr;
}

function both({ left, right }: Pair, inner: (part: Expr) => Expr) {
  return { left: inner(left), right: inner(right) };
}

function equalityIn(body: Expr): Pair | undefined {
  if ('==' in body && 'left' in body['==']) return body['=='];
  return '!=' in body && 'left' in body['!='] ? body['!='] : undefined;
}

const TRUTHS = new Set(
  '&& || ! == != < <= > >= in is has like contains containsAll containsAny isEmpty'.split(' '),
);

/** Whether it is one by its form. */
function isTruth(body: Expr): boolean {
  const { op, value } = readExpression(body);
  return TRUTHS.has(op) || typeof value === 'boolean';
}
