import { DecisionKind } from '@palyra/protocol';
import type { PolicyDecision, PolicyRequest } from '../model.ts';
import { type RequestProblem, isProblem } from '../request/problem.ts';
import { type CaseTools, requestForCase } from './case-request.ts';
import type { Expectation, PolicyCase } from './policy-case.ts';

export interface CaseResult<Case extends PolicyCase = PolicyCase> {
  readonly case: Case;
  readonly passed: boolean;
  readonly got: Expectation;
  /** Ids of the rules that decided, gates included; none when no rule applied. */
  readonly rules: readonly string[];
  /** What kept the rules from being asked, or from answering. */
  readonly problems: readonly string[];
  /** How it differs from what was expected, for a person; empty when it passed. */
  readonly difference: string;
}

/** As much of a decision as a case is about; plain data. */
export interface CaseDecision extends Pick<PolicyDecision, 'kind' | 'errors' | 'fault'> {
  readonly rules: readonly { readonly id: string }[];
  readonly gates: readonly { readonly id: string }[];
}

export interface CaseWorld {
  /** Under the rules that are to be tested. */
  readonly decide: (request: PolicyRequest) => CaseDecision;
  readonly tools: CaseTools;
}

/**
 * Contract: one result a case, in order. One that cannot be put to the rules is `unsound`, and one that
 * does not fit their schema `unfit`: neither is the denial of a rule.
 */
export function runCases<Case extends PolicyCase>(
  cases: readonly Case[],
  world: CaseWorld,
): readonly CaseResult<Case>[] {
  return cases.map((each) => {
    const request = requestForCase(each, world.tools);
    return judgeCase(each, isProblem(request) ? request : world.decide(request));
  });
}

/** For whoever has asked elsewhere. */
export function judgeCase<Case extends PolicyCase>(
  each: Case,
  decision: CaseDecision | RequestProblem,
): CaseResult<Case> {
  const answer = answerOf(decision);
  const difference = differenceOf(each, answer);
  return { case: each, passed: difference === '', difference, ...answer };
}

type Answer = Pick<CaseResult, 'got' | 'rules' | 'problems'>;

function answerOf(decision: CaseDecision | RequestProblem): Answer {
  if (isProblem(decision)) return { got: 'unsound', rules: [], problems: [decision.problem] };
  // No rule was asked, so the case would pass whatever the rules say.
  if (decision.fault === 'unfit') return { got: 'unfit', rules: [], problems: decision.errors };
  const ids = [...decision.rules, ...decision.gates].map(({ id }) => id);
  return {
    got: WORDS.get(decision.kind) ?? 'deny',
    rules: [...new Set(ids)],
    problems: decision.errors,
  };
}

const WORDS: ReadonlyMap<DecisionKind, Expectation> = new Map([
  [DecisionKind.ALLOW, 'allow'],
  [DecisionKind.NEEDS_APPROVAL, 'ask'],
]);

function differenceOf({ expect, rule }: PolicyCase, { got, rules, problems }: Answer): string {
  const decided = [...rules, ...problems].join(', ') || 'no rule';
  if (got !== expect) return `expected ${expect}, got ${got} (${decided})`;
  if (rule === undefined || rules.includes(rule)) return '';
  return `expected \`${rule}\` among those that decided, got ${decided}`;
}
