import { create, toJson } from '@bufbuild/protobuf';
import { type EntryDraft, type JsonObject, isJsonObject } from '@palyra/kernel';
import {
  PolicyChangedSchema,
  PolicyLayer,
  PolicyProblemSchema,
  PolicyRefusedSchema,
} from '@palyra/protocol';
import type { Layer, Problem, RuleSet } from '../model.ts';

/** Why rules were read. */
export type Cause = 'start' | 'file change' | 'reload' | 'apply';

export interface Occasion {
  readonly cause: Cause;
  readonly actor: string;
}

export function changedEntry(
  { hash, mode, rules }: RuleSet,
  previousHash: string,
  { cause, actor }: Occasion,
): EntryDraft {
  const message = create(PolicyChangedSchema, {
    policySetHash: hash,
    previousHash,
    mode,
    rules: rules.length,
    cause,
  });
  return { kind: 'policy.changed', actor, payload: object(toJson(PolicyChangedSchema, message)) };
}

/** `inForce` is the hash of the set that stays; empty when none ever was. */
export function refusedEntry(
  problems: readonly Problem[],
  inForce: string,
  { cause, actor }: Occasion,
): EntryDraft {
  const message = create(PolicyRefusedSchema, {
    problems: problems.map((problem) =>
      create(PolicyProblemSchema, { ...problem, layer: WIRE_LAYERS[problem.layer] }),
    ),
    policySetHash: inForce,
    cause,
  });
  return { kind: 'policy.refused', actor, payload: object(toJson(PolicyRefusedSchema, message)) };
}

const WIRE_LAYERS = {
  'built-in': PolicyLayer.BUILT_IN,
  admin: PolicyLayer.ADMIN,
  operator: PolicyLayer.OPERATOR,
  workspace: PolicyLayer.WORKSPACE,
} as const satisfies Record<Layer, PolicyLayer>;

function object(json: unknown): JsonObject {
  return isJsonObject(json) ? json : {};
}
