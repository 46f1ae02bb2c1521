import type { Clock } from '@palyra/kernel';
import {
  DecisionKind,
  type PolicyGate,
  type PolicyRequest as PolicyRequestMessage,
} from '@palyra/protocol';
import type { Engine } from '../engine/engine.ts';
import { gateMessage } from '../explain/explanation.ts';
import { helpOf, reasonOf } from '../explain/reason.ts';
import type { PolicyDecision } from '../model.ts';
import type { ApprovalGiven } from '../request/approval.ts';
import { type CallToJudge, requestForCall } from '../request/call-request.ts';
import type { OwnGround } from '../request/own-ground.ts';
import { isProblem } from '../request/problem.ts';
import type { Sets } from '../sets/sets.ts';
import type { ActiveRules } from './active-rules.ts';
import { requestMessage } from './request-message.ts';

export interface JudgeParts {
  readonly rules: Pick<ActiveRules, 'decider'>;
  readonly engine: Pick<Engine, 'version'>;
  readonly clock: Clock;
  readonly ownIn: (workspace: string) => OwnGround;
  readonly sets: Pick<Sets, 'noteUse'>;
}

export interface Judgement {
  readonly kind: DecisionKind;
  readonly reason: string;
  readonly help: string;
  readonly ruleIds: readonly string[];
  readonly policySetHash: string;
  readonly asked?: PolicyRequestMessage;
  readonly gates: readonly PolicyGate[];
  readonly engine: string;
}

/** Contract: rejects with POLICY_DENIED when the rules cannot be loaded; whoever asked denies then. */
export async function judge(
  call: CallToJudge,
  approval: ApprovalGiven | undefined,
  { rules, engine, clock, ownIn, sets }: JudgeParts,
): Promise<Judgement> {
  const decider = await rules.decider();
  const own = ownIn(call.proposal.workspace ?? '');
  const request = requestForCall(call, { now: clock.now(), own }, approval);
  if (isProblem(request)) {
    const { setHash: policySetHash } = decider;
    return undecidable(request.problem, { policySetHash, engine: engine.version });
  }
  const decision = decider.decide(request);
  sets.noteUse(decision.setHash);
  return judgementOf(decision, engine.version);
}

function judgementOf(decision: PolicyDecision, engine: string): Judgement {
  const { kind, rules, gates, setHash, request } = decision;
  return {
    kind,
    reason: reasonOf(decision),
    help: helpOf(decision),
    ruleIds: rules.map(({ id }) => id),
    policySetHash: setHash,
    asked: requestMessage(request),
    gates: gates.flatMap((gate) => gateMessage(gate) ?? []),
    engine,
  };
}

/** Nothing was asked, because there was nothing that could be; the set that was in force is named. */
function undecidable(
  problem: string,
  inForce: Pick<Judgement, 'policySetHash' | 'engine'>,
): Judgement {
  return {
    kind: DecisionKind.DENY,
    reason: `the call cannot be judged: ${problem}`,
    help: 'ask for something smaller or plainer',
    ruleIds: [],
    gates: [],
    ...inForce,
  };
}
