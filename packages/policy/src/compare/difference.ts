import type { GainKind } from '@palyra/protocol';

/** `palyra.v1.PolicyDifference` as plain data. */
export interface Difference {
  readonly oldHash: string;
  readonly newHash: string;
  readonly addedRules: readonly string[];
  readonly removedRules: readonly string[];
  readonly changedRules: readonly string[];
  readonly gains: readonly Gain[];
  readonly losses: readonly Gain[];
  readonly questions: number;
  /** Questions that would have been too many; 0 for nearly every change. */
  readonly leftOut: number;
}

/** A tool as the catalogue knows it, in the words of the schema. */
export interface KnownTool {
  readonly name: string;
  readonly capabilities: readonly string[];
  readonly risk: string;
  readonly source: string;
}

export interface Gain {
  readonly kind: GainKind;
  readonly principal: string;
  readonly what: string;
  readonly ruleIds: readonly string[];
}
