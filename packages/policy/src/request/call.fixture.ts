import { create } from '@bufbuild/protobuf';
import {
  type CallFacts,
  CallFactsSchema,
  Capability,
  PrincipalKind,
  Risk,
  Role,
} from '@palyra/protocol';
import type { PolicyRequest } from '../model.ts';
import type { ApprovalGiven } from './approval.ts';
import { type CallToJudge, requestForCall } from './call-request.ts';
import { NO_OWN_GROUND } from './own-ground.ts';
import type { Who } from './principal.ts';
import { isProblem } from './problem.ts';

/** A Monday. */
export const NOON = new Date('2026-11-16T12:34:56Z');
export const AT_NOON = { now: NOON, own: NO_OWN_GROUND };

export const ANN: Who = {
  principal: 'user:ann',
  kind: PrincipalKind.USER,
  member: 'user:ann',
  name: 'Ann',
  role: Role.OPERATOR,
  scopes: [],
};

/** `git status` by an operator, at the command line. */
export function callOf(facts: Partial<Omit<CallFacts, '$typeName'>> = {}): CallToJudge {
  return {
    proposal: {
      runId: 'run-1',
      sessionId: 'session-1',
      tool: 'process.run',
      capabilities: [Capability.PROCESS_EXEC],
      risk: Risk.HIGH,
      facts: create(CallFactsSchema, facts),
    },
    source: 'built-in',
    standing: ANN,
    channel: 'cli',
    deviceId: 'device-1',
  };
}

export function requestOf(call: CallToJudge = callOf(), approval?: ApprovalGiven): PolicyRequest {
  const asked = requestForCall(call, AT_NOON, approval);
  if (isProblem(asked)) throw new Error(asked.problem);
  return asked;
}
