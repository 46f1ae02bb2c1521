export type { StreamName } from './capture.ts';
export { type Invocation, inOwnNamespace } from './entry-namespace.ts';
export { type Ladder, type LadderOptions, createLadder } from './ladder.ts';
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
  type SecretUse,
  type Tier,
} from './model.ts';
export { type BwrapIdentity, identifyBwrap } from './tier-c-bubblewrap/bwrap-binary.ts';
export type { GuardRules } from './tier-c-bubblewrap/guard/rules.ts';
export type { Guarded } from './tier-c-bubblewrap/guard/scan.ts';
export { type Plan, type PlanWord, wordText } from './tier-c-bubblewrap/plan.ts';
export { type PoolOptions, poolBounds } from './pool/pool.ts';
export type { Prepared } from './tier-c-bubblewrap/prepare.ts';
export { type TierC, createTierC } from './tier-c-bubblewrap/tier-c.ts';
export type { TierCOptions } from './tier-c-bubblewrap/workshop.ts';
export { type TierB, createTierB } from './tier-b-process/tier-b.ts';
export { type LocalOptions, openSandboxes } from './service/local-sandboxes.ts';
export { dieWithParent } from './service/die-with-parent.ts';
export { LIFELINE } from './service/start-process.ts';
export { letGoOfStart } from './let-go.ts';
export { type SandboxdOptions, startSandboxd } from './service/client.ts';
export { InputStream } from './service/input-stream.ts';
export { MAX_RUNS, MAX_WAITING } from './service/bounds.ts';
export type { Opening } from './service/messages.ts';
export {
  type Connecting,
  type Explanation,
  type RunWatch,
  type SandboxLoad,
  type Sandboxes,
  type SecretPort,
} from './service/sandboxes.ts';
export { type ParentChannel, type ServerParts, serveSandboxes } from './service/server.ts';
export { type FactsParts, fingerprintOf, readFacts } from './proof/fingerprint.ts';
export {
  type TellStep,
  type VerdictDesk,
  type VerdictDeskParts,
  createVerdictDesk,
} from './proof/verdict-desk.ts';
export type { Maker, Unmade } from './proof/maker.ts';
export { type TierStanding, standingsOf } from './proof/standing.ts';
export { type ProofParts, prove } from './proof/prove.ts';
export {
  type MachineFacts,
  type ProbeFinding,
  STEPS,
  type Step,
  type StepVerdict,
  VERDICT,
  type Verdict,
  insistOnProof,
} from './proof/verdict.ts';
export { type SandboxSettings, limitsOf, sandboxSection } from './section.ts';
export { standingMountPoints } from './service/standing-mount-points.ts';
export { sandboxFolder } from './service/state-folder.ts';
export type { WayOut, WayOutOrder, WayOutPort } from './way-out.ts';
