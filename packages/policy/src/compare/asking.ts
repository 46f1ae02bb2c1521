import { DecisionKind } from '@palyra/protocol';
import { UTMOST_TERMS, approvalOn } from '../engine/approval-terms.ts';
import { decide } from '../engine/decide.ts';
import { inContext, isAllowed, rulesOf } from '../engine/evaluation.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { PolicyContext, PolicyDecision, PolicyRequest, Rule } from '../model.ts';
import type { Answer, Said } from './answer.ts';
import type { Condition } from './condition.ts';
import type { Lot } from './lots.ts';
import type { SeenSituation } from './probed-situation.ts';
import type { Reading, Remaining } from './remaining.ts';

/** Each costs a few evaluations, of a millisecond or so. */
const MAX_DECISIONS = 4_000;
/** Every evaluation looks at every rule: of large sets fewer are made. */
const MAX_LOOKS = 500_000;

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
  readonly #sets: Readonly<Record<Which, LoadedSet>>;
  readonly #reading: Reading;
  readonly #most: number;
  readonly #decided: Readonly<Record<Which, Map<string, Decided>>> = {
    old: new Map(),
    candidate: new Map(),
  };

  constructor(sets: Readonly<Record<Which, LoadedSet>>, reading: Reading) {
    this.#sets = sets;
    this.#reading = reading;
    const rules = Math.max(1, sets.old.set.rules.length, sets.candidate.set.rules.length);
    this.#most = Math.min(MAX_DECISIONS, Math.floor(MAX_LOOKS / rules));
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
    const said = (which: Which, { kind, rules, gates, permits }: Decided): Said => ({
      kind,
      rules,
      gates,
      permits: isSame ? [] : permits(this.#sets[which], put.request),
    });
    const answer = { before: said('old', before), after: said('candidate', after) };
    return { kind: 'answered', answer: { situation: question.seen.situation, ...answer } };
  }

  /** Whether both say anything but no. Contract: only for a question to which they say the same. */
  isOpen(question: Question): boolean {
    const decided = this.#decide('old', this.#put(question));
    return decided !== undefined && decided.kind !== DecisionKind.DENY;
  }

  #put({ lot, seen }: Question): Put {
    const { asked, known, remaining } = lot;
    const request = { ...asked, context: { ...seen.context, ...known } };
    const facts = { ...request, rest: 'absent' } as const;
    return { request, applying: this.#reading.inSituation(remaining, facts, seen.context) };
  }

  /** `undefined` when there were too many. */
  #decide(which: Which, { request, applying }: Put): Decided | undefined {
    const rules = applying.filter(({ read }) => read.isOf[which]);
    const denied = clearlyDenied(rules);
    if (denied !== undefined) return denied;
    const key = keyOf(rules, request);
    const known = this.#decided[which].get(key);
    if (known !== undefined || this.count >= this.#most) return known;
    const { kind, rules: deciding, gates } = decide(this.#sets[which], request);
    const decided = {
      kind,
      rules: deciding,
      gates,
      permits: permitsOnce({ kind, rules: deciding }),
    };
    this.#decided[which].set(key, decided);
    return decided;
  }
}

interface Put {
  readonly request: PolicyRequest;
  /** Rules of both sets that might apply, with what is left of their conditions. */
  readonly applying: readonly Remaining[];
}

interface Decided extends Pick<PolicyDecision, 'kind' | 'rules' | 'gates'> {
  /** That let it through, or would once it is approved. */
  readonly permits: (loaded: LoadedSet, request: PolicyRequest) => readonly Rule[];
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

/** Equal only where the same is left of the same rules, and whatever that looks at is equal. */
function keyOf(rules: readonly Remaining[], request: PolicyRequest): string {
  const parts = rules.map(
    ({ read, open }) =>
      `${read.place}:${open.map((one) => `${one.id}${valuesOf(one, request)}`).join('&')}`,
  );
  return `${request.action} ${parts.join(' ')}`;
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

function permitsOnce(decision: Pick<PolicyDecision, 'kind' | 'rules'>): Decided['permits'] {
  let known: readonly Rule[] | undefined;
  return (loaded, request) => (known ??= permitsFor(loaded, decision, request));
}

function permitsFor(
  loaded: LoadedSet,
  { kind, rules }: Pick<PolicyDecision, 'kind' | 'rules'>,
  request: PolicyRequest,
): readonly Rule[] {
  if (kind !== DecisionKind.NEEDS_APPROVAL)
    return rules.filter(({ effect }) => effect === 'permit');
  const approved = inContext(request, { approval: approvalOn(UTMOST_TERMS) });
  const evaluation = loaded.evaluate(approved);
  return isAllowed(evaluation) ? rulesOf(evaluation.ruleIds, loaded.set.rules) : [];
}
