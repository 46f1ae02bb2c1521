import { DecisionKind } from '@palyra/protocol';
import { UTMOST_TERMS, approvalOn } from '../engine/approval-terms.ts';
import { decide } from '../engine/decide.ts';
import { inContext, isAllowed, rulesOf } from '../engine/evaluation.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { PolicyDecision, PolicyRequest, Rule } from '../model.ts';
import type { Answer, Said } from './answer.ts';
import type { Foresight } from './foresight.ts';
import { mayFail } from './may-fail.ts';
import type { Question } from './questions.ts';
import { type IsAbout, scopesOf } from './scope.ts';

/** Puts questions to two sets, each that can be told from the others once, and only if it matters. */
export class Asking {
  readonly #old: LoadedSet;
  readonly #candidate: LoadedSet;
  readonly #foresight: Foresight;
  /** A rule about what follows neither allows nor forbids what comes first. */
  readonly #isAbout: IsAbout;
  readonly #answers = new Map<string, Pick<Answer, 'before' | 'after'>>();
  readonly #open = new Map<string, boolean>();

  constructor(sets: readonly [LoadedSet, LoadedSet], foresight: Foresight) {
    [this.#old, this.#candidate] = sets;
    this.#foresight = foresight;
    this.#isAbout = scopesOf(this.#old.set.schema, { following: 'apart' });
  }

  /** How many were put so far. */
  get count(): number {
    return this.#answers.size + this.#open.size;
  }

  /** `undefined` when both sets surely say the same. */
  answerTo(question: Question): Answer | undefined {
    const { request, likeness, concern } = question;
    const applying = concern.changed.filter((rule) => this.#foresight.mightApply(rule, request));
    if (applying.length === 0 || this.#isForbidden(question)) return undefined;
    const answer = this.#answers.get(likeness) ?? this.#ask(question, applying);
    this.#answers.set(likeness, answer);
    return { question, ...answer };
  }

  /** Contract: only for a question without an answer. */
  isOpen(question: Question): boolean {
    const { request, likeness, concern } = question;
    const known = this.#open.get(likeness);
    if (known !== undefined) return known;
    if (this.#isForbidden(question) || !this.#isPermitted(concern.others, request)) return false;
    const isOpen = decide(this.#old, request).kind !== DecisionKind.DENY;
    this.#open.set(likeness, isOpen);
    return isOpen;
  }

  #ask(
    { request, concern }: Question,
    applying: readonly Rule[],
  ): Pick<Answer, 'before' | 'after'> {
    const kept = (loaded: LoadedSet) => applying.filter((rule) => loaded.set.rules.includes(rule));
    // Where only permits differ, a set without any for this need not be asked.
    const isMatterOfPermits = applying.every(({ effect }) => effect === 'permit');
    const decided = (loaded: LoadedSet): Decided => {
      const rules = [...kept(loaded), ...concern.others];
      const isClear = isMatterOfPermits && !this.#isPermitted(rules, request);
      return isClear ? DENIED : decide(loaded, request);
    };
    const after = decided(this.#candidate);
    const isMore = isMatterOfPermits && kept(this.#old).length === 0 && !applying.some(mayFail);
    // More permits never allow less.
    const before = isMore && after.kind === DecisionKind.DENY ? after : decided(this.#old);
    const isSame = before.kind === after.kind;
    const said = (loaded: LoadedSet, decision: Decided): Said => {
      const permits = isSame ? [] : permitsFor(loaded, decision, request);
      return { kind: decision.kind, rules: decision.rules, gates: decision.gates, permits };
    };
    return { before: said(this.#old, before), after: said(this.#candidate, after) };
  }

  /** Whether both sets surely forbid it, for good. */
  #isForbidden({ request, concern: { changed, others } }: Question): boolean {
    const forbids = (rule: Rule) =>
      rule.effect === 'forbid' &&
      rule.gate === undefined &&
      this.#isAbout(rule, request) &&
      this.#foresight.surelyApplies(rule, request);
    if (others.some(forbids)) return true;
    const forbidding = changed.filter(forbids);
    return [this.#old, this.#candidate].every(({ set }) =>
      forbidding.some((rule) => set.rules.includes(rule)),
    );
  }

  /** Whether any of these might let it through. */
  #isPermitted(rules: readonly Rule[], request: PolicyRequest): boolean {
    const permits = rules.filter(
      (rule) => rule.effect === 'permit' && this.#isAbout(rule, request),
    );
    return permits.some((rule) => this.#foresight.mightApply(rule, request));
  }
}

type Decided = Pick<PolicyDecision, 'kind' | 'rules' | 'gates'>;

const DENIED: Decided = { kind: DecisionKind.DENY, rules: [], gates: [] };

function permitsFor(
  loaded: LoadedSet,
  { kind, rules }: Decided,
  request: PolicyRequest,
): readonly Rule[] {
  if (kind !== DecisionKind.NEEDS_APPROVAL)
    return rules.filter(({ effect }) => effect === 'permit');
  const approved = inContext(request, { approval: approvalOn(UTMOST_TERMS) });
  const evaluation = loaded.evaluate(approved);
  return isAllowed(evaluation) ? rulesOf(evaluation.ruleIds, loaded.set.rules) : [];
}
