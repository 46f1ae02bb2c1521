import { type Json, isJsonObject, type JsonObject } from '@palyra/kernel';
import { DecisionKind, Role } from '@palyra/protocol';
import { type PolicyRequest, STRENGTHS } from '../model.ts';
import { readRequest } from '../request/read-request.ts';
import { type Demand, highestDemand } from './demand.ts';

/** A `tool.decided` entry of the journal, as far as it can be decided again. */
export interface RecordedDecision {
  readonly entryId: string;
  /** How the call ended up, which a person may have had a part in. */
  readonly kind: DecisionKind;
  /** Gates asked for a person, whatever they said. */
  readonly isGated: boolean;
  /** What they asked for; `undefined` when it is not on record. */
  readonly demand: Demand | undefined;
  /** `undefined` when the rules were not asked, e.g. because the arguments made no sense. */
  readonly asked: PolicyRequest | undefined;
}

const KINDS: ReadonlyMap<unknown, DecisionKind> = new Map([
  ['DECISION_KIND_ALLOW', DecisionKind.ALLOW],
  ['DECISION_KIND_NEEDS_APPROVAL', DecisionKind.NEEDS_APPROVAL],
  ['DECISION_KIND_DENY', DecisionKind.DENY],
]);

/**
 * Reads the canonical text of an entry.
 * Contract: never throws; `undefined` for what is no `tool.decided` entry.
 */
export function readDecision(line: string): RecordedDecision | undefined {
  const entry = parseObject(line);
  const { id, kind, payload } = entry ?? {};
  if (kind !== 'tool.decided' || typeof id !== 'string' || !isJsonObject(payload)) return undefined;
  const gates = Array.isArray(payload['gates']) ? payload['gates'] : [];
  return {
    entryId: id,
    kind: KINDS.get(payload['kind']) ?? DecisionKind.UNSPECIFIED,
    isGated: gates.length > 0,
    demand: highestDemand(gates.map(demandIn).filter((demand) => demand !== undefined)),
    asked: payload['asked'] === undefined ? undefined : readRequest(payload['asked']),
  };
}

function parseObject(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Not ours: the journal's own check is what tells of a damaged store.
    return undefined;
  }
}

/** As `palyra.v1.PolicyGate` is written in JSON. */
function demandIn(gate: Json): Demand | undefined {
  const { approvers, quorum, strength } = isJsonObject(gate) ? gate : {};
  const role = ROLES.get(approvers);
  const shown = STRENGTHS.find((each) => each === strength);
  if (role === undefined || shown === undefined || typeof quorum !== 'number') return undefined;
  return { approvers: role, quorum, strength: shown };
}

const ROLES: ReadonlyMap<unknown, Role> = new Map([
  ['ROLE_OPERATOR', Role.OPERATOR],
  ['ROLE_ADMIN', Role.ADMIN],
  ['ROLE_OWNER', Role.OWNER],
]);
