import { DecisionKind } from '@palyra/protocol';
import { UTMOST_TERMS, approvalOn } from '../engine/approval-terms.ts';
import { decide } from '../engine/decide.ts';
import { inContext, isAllowed } from '../engine/evaluation.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { PolicyContext, PolicyDecision, PolicyRequest, Rule } from '../model.ts';
import type { Answer, Said } from './answer.ts';
import type { Comparable } from './comparable.ts';
import type { Condition } from './condition.ts';
import type { Lot } from './lots.ts';
import type { SeenSituation } from './probed-situation.ts';
import type { Reading, Remaining } from './remaining.ts';

/** Each costs a few evaluations, of half a millisecond or so and more with each rule. */
const MAX_DECISIONS = 4_000;
/** Of rules by Cedar: to read one takes it as long as to look at it so many times. */
const MAX_LOOKS = 250_000;
const LOOKS_TO_READ = 6;

/** One lot in one situation. */
export interface Question {
  readonly lot: Lot;
  readonly seen: SeenSituation;
}

export type Reply =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** Nothing that changed is left. */
  | { readonly kind: 'same' }
  | { readonly kind: 'left-out' };

const SAME: Reply = { kind: 'same' };
const LEFT_OUT: Reply = { kind: 'left-out' };

type Which = 'old' | 'candidate';

/** Puts questions to two sets: of those that the rules of a set cannot tell apart, one. */
export class Asking {
  readonly #sets: Readonly<Record<Which, Comparable>>;
  readonly #reading: Reading;
  #looks = 0;
  readonly #decided: Readonly<Record<Which, Map<string, Settled>>> = {
    old: new Map(),
    candidate: new Map(),
  };

  constructor(sets: Readonly<Record<Which, Comparable>>, reading: Reading) {
    this.#sets = sets;
    this.#reading = reading;
  }

  /** How many decisions it took so far. */
  get count(): number {
    return this.#decided.old.size + this.#decided.candidate.size;
  }

  reply(question: Question): Reply {
    const put = this.#put(question);
    if (!put.applying.some(({ read }) => read.isChanged)) return SAME;
    const before = this.#decide('old', put);
    const after = this.#decide('candidate', put);
    if (before === undefined || after === undefined) return LEFT_OUT;
    const isSame = before.kind === after.kind;
    const said = ({ kind, rules, gates, permits }: Decided): Said => ({
      kind,
      rules,
      gates,
      permits: isSame ? [] : permits(),
    });
    const answer = { before: said(before), after: said(after) };
    return { kind: 'answered', answer: { situation: question.seen.situation, ...answer } };
  }

  /** Whether both say anything but no. Contract: only for a question to which they say the same. */
  isOpen(question: Question): boolean {
    const decided = this.#decide('old', this.#put(question));
    return decided !== undefined && decided.kind !== DecisionKind.DENY;
  }

  #put({ lot, seen }: Question): Put {
    const { asked, known, sift } = lot;
    const request = { ...asked, context: { ...seen.context, ...known } };
    const facts = { ...request, rest: 'absent' } as const;
    // What comes with a host takes the place of what the situation says, so it is another one.
    const situation = 'hosts' in known ? request.context : seen.context;
    return {
      request,
      applying: this.#reading.inSituation(sift(request.context), facts, situation),
    };
  }

  /** `undefined` when there were too many. */
  #decide(which: Which, { request, applying }: Put): Decided | undefined {
    const rules = applying.filter(({ read }) => read.isOf[which]);
    const denied = clearlyDenied(rules);
    if (denied !== undefined) return denied;
    const { key, sorted } = alike(rules, request);
    const known = this.#decided[which].get(key);
    if (known !== undefined) return told(known, sorted);
    if (this.count >= MAX_DECISIONS || this.#looks >= MAX_LOOKS) return undefined;
    const settled = this.#settle(which, sorted, request);
    this.#decided[which].set(key, settled);
    return told(settled, sorted);
  }

  #settle(which: Which, rules: readonly Rule[], request: PolicyRequest): Settled {
    const set = this.#sets[which];
    this.#looks += rules.length * (set.holds(rules) ? 1 : LOOKS_TO_READ);
    const { kind, rules: deciding, gates } = decide(set.under(rules), request);
    const permits = () => permitsFor(set.under(rules), { kind, rules: deciding }, request);
    return { kind, rules: placesOf(deciding), gates: placesOf(gates), permits: once(permits) };
  }
}

interface Put {
  readonly request: PolicyRequest;
  /** Rules of both sets that might apply, with what is left of their conditions. */
  readonly applying: readonly Remaining[];
}

interface Decided extends Pick<PolicyDecision, 'kind' | 'rules' | 'gates'> {
  /** That let it through, or would once it is approved. */
  readonly permits: () => readonly Rule[];
}

/** A decision on the rules of a question, by their places among them: good for every one that is alike. */
interface Settled {
  readonly kind: DecisionKind;
  readonly rules: readonly number[];
  readonly gates: readonly number[];
  readonly permits: () => readonly number[];
}

function told({ kind, rules, gates, permits }: Settled, sorted: readonly Rule[]): Decided {
  const at = (places: readonly number[]) => places.flatMap((place) => sorted[place] ?? []);
  return { kind, rules: at(rules), gates: at(gates), permits: () => at(permits()) };
}

function placesOf(rules: readonly Rule[]): readonly number[] {
  return rules.map(({ id }) => Number(id));
}

function once<Value>(ask: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: ask() }).value;
}

/** Where nothing lets it through, or something surely forbids it for good, nobody need be asked. */
function clearlyDenied(remaining: readonly Remaining[]): Decided | undefined {
  const own = remaining.filter(({ isOwn }) => isOwn);
  const rules = own.filter(forbidsSurely).map(({ read }) => read.rule);
  const isPermitted = own.some(({ read }) => read.rule.effect === 'permit');
  if (isPermitted && rules.length === 0) return undefined;
  return { kind: DecisionKind.DENY, rules, gates: [], permits: () => [] };
}

function forbidsSurely({ read: { rule, canFail }, open }: Remaining): boolean {
  return rule.effect === 'forbid' && rule.gate === undefined && open.length === 0 && !canFail;
}

/**
 * A text that is equal only where rules are left that decide alike, one by one: for the same actions, as
 * strictly, with the same left of their conditions, and whatever that looks at equal.
 */
function alike(rules: readonly Remaining[], request: PolicyRequest) {
  const parts = rules
    .map(({ read, open }) => ({
      rule: read.rule,
      part: `${read.weight} ${open.map((one) => `${one.id}${valuesOf(one, request)}`).join('&')}`,
    }))
    .toSorted((one, other) => (one.part < other.part ? -1 : one.part > other.part ? 1 : 0));
  return {
    key: `${request.action} ${parts.map(({ part }) => part).join(' ')}`,
    sorted: parts.map(({ rule }) => rule),
  };
}

function valuesOf({ attributes, depends }: Condition, request: PolicyRequest): string {
  if (depends === 'approval') return '';
  const { context, entities } = request;
  const read = attributes === 'all' ? context : only(context, attributes);
  return JSON.stringify(depends === 'everything' ? [read, entities] : read);
}

function only(context: PolicyContext, names: ReadonlySet<string>): PolicyContext {
  return Object.fromEntries(Object.entries(context).filter(([name]) => names.has(name)));
}

function permitsFor(
  loaded: LoadedSet,
  { kind, rules }: Pick<PolicyDecision, 'kind' | 'rules'>,
  request: PolicyRequest,
): readonly number[] {
  if (kind !== DecisionKind.NEEDS_APPROVAL)
    return placesOf(rules.filter(({ effect }) => effect === 'permit'));
  const approved = inContext(request, { approval: approvalOn(UTMOST_TERMS) });
  const evaluation = loaded.evaluate(approved);
  return isAllowed(evaluation) ? evaluation.ruleIds.map(Number) : [];
}
