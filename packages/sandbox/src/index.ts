export type { StreamName } from './capture.ts';
export { type Invocation, inOwnNamespace } from './entry-namespace.ts';
export { DEFAULT_LIMITS, LIMIT_BOUNDS } from './limits.ts';
export {
  type EgressRequest,
  type Ending,
  FAULT_KINDS,
  type FaultKind,
  type Limits,
  type Posture,
  type SandboxFault,
  type SandboxRequest,
  type Tier,
} from './model.ts';
export { type BwrapIdentity, identifyBwrap } from './tier-c-bubblewrap/bwrap-binary.ts';
export type { GuardRules } from './tier-c-bubblewrap/guard/rules.ts';
export type { Guarded } from './tier-c-bubblewrap/guard/scan.ts';
export { type Plan, type PlanWord, wordText } from './tier-c-bubblewrap/plan.ts';
export type { Prepared } from './tier-c-bubblewrap/prepare.ts';
export type { Watch } from './tier-c-bubblewrap/run.ts';
export { type TierC, createTierC } from './tier-c-bubblewrap/tier-c.ts';
export type { TierCOptions } from './tier-c-bubblewrap/workshop.ts';
export { type TierB, createTierB } from './tier-b-process/tier-b.ts';
