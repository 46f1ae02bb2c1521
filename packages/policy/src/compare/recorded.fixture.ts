import { create } from '@bufbuild/protobuf';
import { canonicalJson, ENTRY_FORMAT, type JsonObject } from '@palyra/kernel';
import { CallFactsSchema, DecisionKind, PrincipalKind, Risk, Role } from '@palyra/protocol';
import type { PolicyRequest } from '../model.ts';
import type { ApprovalGiven } from '../request/approval.ts';
import { requestForCall } from '../request/call-request.ts';
import { NO_OWN_GROUND } from '../request/own-ground.ts';
import { isProblem } from '../request/problem.ts';

export interface Called {
  readonly tool: string;
  readonly role?: Role;
  readonly run?: string;
  readonly argumentBytes?: number;
  readonly approval?: ApprovalGiven;
}

/** What the rules are asked when Ann calls a tool. */
export function askedFor({ tool, role, run, argumentBytes, approval }: Called): PolicyRequest {
  const facts = create(CallFactsSchema, { argumentBytes: argumentBytes ?? 0 });
  const standing = {
    principal: 'user:ann',
    kind: PrincipalKind.USER,
    member: 'user:ann',
    name: 'Ann',
  };
  const asked = requestForCall(
    {
      proposal: {
        runId: run ?? 'a-run',
        sessionId: 'a-session',
        tool,
        capabilities: [],
        risk: Risk.LOW,
        facts,
      },
      source: 'built-in',
      standing: { ...standing, role: role ?? Role.OPERATOR, scopes: [] },
      channel: 'cli',
      deviceId: '',
    },
    { now: new Date('2026-11-16T12:00:00Z'), own: NO_OWN_GROUND },
    approval,
  );
  if (isProblem(asked)) throw new Error(asked.problem);
  return asked;
}

export interface Recorded {
  readonly id: string;
  readonly kind: DecisionKind;
  readonly ruleIds?: readonly string[];
  /** By the id of the rule, or with what it asked for. */
  readonly gates?: readonly (string | JsonObject)[];
  readonly asked?: PolicyRequest;
}

/** The canonical text of a `tool.decided` entry, as the journal stores it. */
export function entryLine({ id, kind, ruleIds, gates, asked }: Recorded): string {
  const payload = {
    callId: `call-of-${id}`,
    kind: NAMES.get(kind) ?? '',
    ruleIds: ruleIds ?? [],
    gates: (gates ?? []).map((gate) => (typeof gate === 'string' ? { ruleId: gate } : gate)),
    ...(asked === undefined ? {} : { asked }),
  };
  return canonicalJson({
    actor: 'gateway',
    format: ENTRY_FORMAT,
    id,
    kind: 'tool.decided',
    payload,
  });
}

const NAMES: ReadonlyMap<DecisionKind, string> = new Map([
  [DecisionKind.ALLOW, 'DECISION_KIND_ALLOW'],
  [DecisionKind.NEEDS_APPROVAL, 'DECISION_KIND_NEEDS_APPROVAL'],
  [DecisionKind.DENY, 'DECISION_KIND_DENY'],
]);
