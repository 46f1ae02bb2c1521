import { isJsonObject, type JsonObject } from '@palyra/kernel';
import { DecisionKind } from '@palyra/protocol';
import type { PolicyRequest } from '../model.ts';
import { readRequest } from '../request/read-request.ts';

/** A `tool.decided` entry of the journal, as far as it can be decided again. */
export interface RecordedDecision {
  readonly entryId: string;
  /** How the call ended up, which a person may have had a part in. */
  readonly kind: DecisionKind;
  readonly ruleIds: readonly string[];
  /** Gates asked for a person, whatever they said. */
  readonly isGated: boolean;
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
  return {
    entryId: id,
    kind: KINDS.get(payload['kind']) ?? DecisionKind.UNSPECIFIED,
    ruleIds: textsIn(payload['ruleIds']),
    isGated: Array.isArray(payload['gates']) && payload['gates'].length > 0,
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

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string') : [];
}
