export { problemMessage } from './desk/wire.ts';
export { checkRules, formatRules, testRules } from './offline/offline.ts';
export { type Mode, type ModeInForce, MODES, type Problem } from './model.ts';
export {
  ADMIN_POLICIES,
  type JournalDecisions,
  type JournalPage,
  type Policy,
  type PolicyDesk,
  type PolicyParts,
  type PolicyTool,
  createPolicy,
} from './policy.ts';
export { type PolicySettings, policySection } from './policy-section.ts';
export { prepareRules } from './sets/prepare-rules.ts';
export type { PolicyDirs } from './sets/read-layers.ts';
