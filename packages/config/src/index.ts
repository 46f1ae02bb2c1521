export { changeConfig } from './change-config.ts';
export { checkFile } from './check-file.ts';
export { writeConfigFile } from './config-file.ts';
export type { Contradiction, ContradictionCheck } from './contradictions.ts';
export { type Edit, setValue } from './edit.ts';
export { prepareHome } from './home.ts';
export type { Explanation, LayerValue, ShownSetting } from './inspect.ts';
export { unboundedKeys } from './key-type.ts';
export { RESERVED_VARIABLES } from './layers.ts';
export {
  type AllSections,
  type ConfigRequest,
  type ConfigSources,
  type Diagnosis,
  type LoadedConfig,
  SYSTEM_FILE,
  diagnoseKey,
  loadConfig,
} from './load-config.ts';
export { NARROWINGS, type Narrowing } from './narrowing.ts';
export { type FileKind, type FileOrigin, type Origin, describeOrigin } from './origin.ts';
export { ConfigError, type ConfigProblem, MAX_PROBLEMS, type ProblemCode } from './problem.ts';
export {
  PROFILES,
  PROFILE_NAMES,
  type Profile,
  type ProfileName,
  type Profiles,
  deploymentSection,
  renderProfilesTable,
} from './profiles.ts';
export { renderConfigReference, renderJsonSchema } from './reference.ts';
export { type Config, type KeyOf, type Sections, describeSection } from './sections.ts';
export { writeValue } from './value-text.ts';
