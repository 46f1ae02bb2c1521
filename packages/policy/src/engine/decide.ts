import { DecisionKind } from '@palyra/protocol';
import { actionsOf } from '../compare/scope.ts';
import type { PolicyDecision, PolicyRequest, Rule, RuleSet } from '../model.ts';
import { checkRequest } from '../request/check-request.ts';
import { HOST_CONNECT } from '../request/connection.ts';
import { obstacleToApproval } from './approval-trial.ts';
import { inContext, isAllowed, isGate, rulesOf } from './evaluation.ts';
import type { Evaluation, LoadedSet } from './loaded-set.ts';

/**
 * What the rules say to a request, in one go and under one set. Whether its gates are lifted is found
 * out here: a call that calls itself unattended is asked as if it did not. A connection comes with what was
 * found out of its call.
 * Contract: throws CONFLICT when another set was loaded in the place of this one, and nothing else.
 */
export function decide(loaded: LoadedSet, request: PolicyRequest): PolicyDecision {
  const problem = checkRequest(request);
  if (problem !== undefined) return unfit(problem, request, loaded.set.hash);
  const attended = attendedRequest(request);
  return decisionOf(settle(loaded, attended), attended, loaded.set.hash);
}

export function refusal(
  errors: readonly string[],
  request: PolicyRequest,
  setHash: string,
): PolicyDecision {
  return { kind: DecisionKind.DENY, rules: [], gates: [], errors, request, setHash };
}

/** For a request that no rule may be asked. */
export function unfit(problem: string, request: PolicyRequest, setHash: string): PolicyDecision {
  return { ...refusal([problem], request, setHash), fault: 'unfit' };
}

/** A decision without its request: whoever asks the same again brings it along. */
export type Settled = Pick<PolicyDecision, 'kind' | 'rules' | 'gates' | 'errors' | 'fault'> & {
  /** Its gates are lifted, and the request that decided says so. */
  readonly isUnattended: boolean;
};

export function decisionOf(
  { isUnattended, ...settled }: Settled,
  request: PolicyRequest,
  setHash: string,
): PolicyDecision {
  const asked = isUnattended ? inContext(request, { unattended: true }) : request;
  return { ...settled, request: asked, setHash };
}

/** Contract: a request in which `checkRequest` found nothing. */
export function attendedRequest(request: PolicyRequest): PolicyRequest {
  const { unattended = false } = request.context;
  return unattended === false || request.action === HOST_CONNECT
    ? request
    : inContext(request, { unattended: false });
}

/** Contract: an attended request. */
export function settle(loaded: LoadedSet, request: PolicyRequest): Settled {
  const first = loaded.evaluate(request);
  const rules = rulesOf(first.ruleIds, loaded.set.rules);
  if (isAllowed(first)) return allowed(rules);
  if (!hasOnlyGates(first, rules)) return denied(first, rules);
  if (Object.hasOwn(request.context, 'approval')) return denied(first, rules);
  const obstacle = obstacleToApproval(loaded, request, rules);
  if (obstacle !== undefined) return denied(obstacle, obstacle.rules);
  return liftGates(loaded, request) ?? needsApproval(rules);
}

/** `undefined` unless a rule says that nobody need be asked, and nothing else forbids it then. */
function liftGates(loaded: LoadedSet, request: PolicyRequest): Settled | undefined {
  if (request.action !== 'tool.execute' || !canBeLifted(loaded.set)) return undefined;
  const lifted = loaded.evaluate({ ...request, action: UNATTENDED });
  if (!isAllowed(lifted)) return undefined;
  const last = loaded.evaluate(inContext(request, { unattended: true }));
  if (!isAllowed(last)) return undefined;
  const ruleIds = [...last.ruleIds, ...lifted.ruleIds];
  return { ...allowed(rulesOf(ruleIds, loaded.set.rules)), isUnattended: true };
}

const UNATTENDED = 'tool.unattended';
const LIFTING = new WeakMap<RuleSet, boolean>();

/** Where no permit is about it, Cedar denies it whatever the call is: to ask costs as much as the call did. */
function canBeLifted(set: RuleSet): boolean {
  const known = LIFTING.get(set);
  if (known !== undefined) return known;
  const permits = set.rules.filter(({ effect }) => effect === 'permit');
  const can = actionsOf(permits, set.schema).has(UNATTENDED);
  LIFTING.set(set, can);
  return can;
}

function hasOnlyGates({ ruleIds, errors }: Evaluation, rules: readonly Rule[]): boolean {
  const isEveryRuleKnown = ruleIds.length > 0 && rules.length === ruleIds.length;
  return errors.length === 0 && isEveryRuleKnown && rules.every(isGate);
}

function allowed(rules: readonly Rule[]): Settled {
  return { kind: DecisionKind.ALLOW, rules, gates: [], errors: [], isUnattended: false };
}

/** What no approval lifts comes first. */
function denied(why: Pick<Evaluation, 'errors' | 'fault'>, rules: readonly Rule[]): Settled {
  const ordered = [...rules.filter((rule) => !isGate(rule)), ...rules.filter(isGate)];
  const fault = why.fault === undefined ? {} : { fault: why.fault };
  const settled = { rules: ordered, gates: [], errors: why.errors, isUnattended: false };
  return { kind: DecisionKind.DENY, ...settled, ...fault };
}

function needsApproval(gates: readonly Rule[]): Settled {
  const kind = DecisionKind.NEEDS_APPROVAL;
  return { kind, rules: gates, gates, errors: [], isUnattended: false };
}
