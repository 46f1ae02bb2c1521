import type { PolicyJson, SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { JsonObject, Json } from '@palyra/kernel';
import type { DecisionKind, Role } from '@palyra/protocol';

/** From the one that binds everybody to the one that may only forbid. */
export const LAYERS = ['built-in', 'admin', 'operator', 'workspace'] as const;
export type Layer = (typeof LAYERS)[number];

/** `closed` is not to be chosen: it is in force while no set could ever be taken. */
export const MODES = ['read-only', 'ask', 'auto'] as const;
export type Mode = (typeof MODES)[number];
export type ModeInForce = Mode | 'closed';

export interface PolicyFile {
  readonly layer: Layer;
  /** Its name in its layer, `team.cedar`. */
  readonly name: string;
  readonly text: string;
}

export interface Rule {
  readonly id: string;
  readonly layer: Layer;
  readonly file: string;
  /** Of its first character, from 1. */
  readonly line: number;
  readonly effect: 'permit' | 'forbid';
  /** As it stands in its file. */
  readonly text: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly json: PolicyJson;
  /** What the annotations of a gate demand. */
  readonly gate?: GateTerms;
  /** `@hard`: nobody can lift it. */
  readonly isHard: boolean;
}

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];
/** From the weaker to the stronger; whoever shows a passkey acts through a device too. */
export const STRENGTHS = ['device', 'passkey'] as const;
export type Strength = (typeof STRENGTHS)[number];

export interface GateTerms {
  readonly severity: Severity;
  /** The least role that may approve. */
  readonly approvers: Role;
  readonly quorum: number;
  readonly strength: Strength;
  readonly waitSeconds: number;
}

/** Parsed, validated, complete: what decisions are made with. Plain data; crosses threads. */
export interface RuleSet {
  /** SHA-256, in hex, over the canonical text of all layers, the schema and the mode. */
  readonly hash: string;
  readonly mode: ModeInForce;
  /** Sorted by layer, then name. */
  readonly files: readonly PolicyFile[];
  /** In the order of their files. Ids are unique. */
  readonly rules: readonly Rule[];
  readonly schema: SchemaJson<string>;
}

/** Why a file is not taken. */
export interface Problem {
  readonly layer: Layer;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly reason: string;
  readonly help: string;
}

export type Compiled =
  | { readonly kind: 'compiled'; readonly set: RuleSet }
  | {
      readonly kind: 'refused';
      readonly problems: readonly Problem[];
      /** Cedar itself broke at one of the files. */
      readonly hasBroken?: true;
    };

export interface EntityRef {
  readonly type: string;
  readonly id: string;
}

export interface PolicyEntity {
  readonly uid: EntityRef;
  readonly attrs: JsonObject;
  readonly parents: readonly EntityRef[];
}

/** A question to the rules, in the JSON that Cedar reads; `palyra.v1.PolicyRequest` in the journal. */
export interface PolicyRequest {
  readonly principal: EntityRef;
  readonly action: string;
  readonly resource: EntityRef;
  readonly context: PolicyContext;
  readonly entities: readonly PolicyEntity[];
}

export type PolicyContext = Readonly<Record<string, Json>>;

/**
 * Why the rules themselves have not spoken: the request does not fit the schema or its bounds, or they
 * took longer than an evaluation may.
 */
export type Fault = 'unfit' | 'slow';

export interface PolicyDecision {
  readonly kind: DecisionKind;
  /** The rules that decided; empty when none applied. */
  readonly rules: readonly Rule[];
  /** For NEEDS_APPROVAL: those that fired. */
  readonly gates: readonly Rule[];
  /** Any of these makes it a denial. */
  readonly errors: readonly string[];
  /** Only with errors. */
  readonly fault?: Fault | undefined;
  /** What decided: for an allowed unattended call, the request says so. */
  readonly request: PolicyRequest;
  readonly setHash: string;
}
