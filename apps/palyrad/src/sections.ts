import { join, resolve } from 'node:path';
import { budgetsSection } from '@palyra/budgets';
import {
  type ConfigRequest,
  type ConfigSources,
  type Diagnosis,
  type LoadedConfig,
  type Edit,
  type Config as SectionsConfig,
  SYSTEM_FILE,
  changeConfig,
  checkFile,
  deploymentSection,
  diagnoseKey,
  loadConfig,
  prepareHome,
} from '@palyra/config';
import { runsSection } from '@palyra/gateway';
import { identitySection } from '@palyra/identity';
import { journalSection } from '@palyra/journal';
import type { Environment, Places } from '@palyra/kernel';
import { modelsSection } from '@palyra/models';
import { policySection } from '@palyra/policy';
import { sandboxSection } from '@palyra/sandbox';
import { httpSection } from '@palyra/tools';
import { transportSection } from '@palyra/transport';
import type { Flags } from './command-line.ts';
import { CONTRADICTIONS } from './contradictions.ts';
import { logSection } from './log-section.ts';
import { PROFILES } from './profiles.ts';

/** Every section of palyra.toml, each from the package that owns it. */
export const SECTIONS = {
  budgets: budgetsSection,
  deployment: deploymentSection,
  http: httpSection,
  identity: identitySection,
  journal: journalSection,
  log: logSection,
  models: modelsSection,
  policy: policySection,
  runs: runsSection,
  sandbox: sandboxSection,
  transport: transportSection,
} as const;

export type Config = SectionsConfig<typeof SECTIONS>;
/** The same, with where each value comes from. */
export type Settings = LoadedConfig<typeof SECTIONS>;

export interface Surroundings {
  readonly environment: Environment;
  readonly places: Places;
  /** Where the program was started: a `palyra.toml` there may narrow what the operator allows. */
  readonly workspaceDir: string;
}

/** Contract: throws with every problem of every layer. */
export function loadSettings(surroundings: Surroundings, flags: Flags): Settings {
  return loadConfig(requestOf(surroundings, flags));
}

/** Contract: throws only for a key that does not exist. */
export function diagnoseSetting(surroundings: Surroundings, flags: Flags, key: string): Diagnosis {
  return diagnoseKey(requestOf(surroundings, flags), key);
}

/** Contract: throws with every problem of that file; no other layer is looked at. */
export function checkSettingsFile(surroundings: Surroundings, file: string): void {
  checkFile(requestOf(surroundings, {}), resolve(surroundings.workspaceDir, file));
}

function requestOf(
  { environment, places, workspaceDir }: Surroundings,
  flags: Flags,
): ConfigRequest<typeof SECTIONS> {
  const workspaceFile = join(workspaceDir, 'palyra.toml');
  const sources: ConfigSources = {
    places,
    environment,
    flags,
    systemFile: SYSTEM_FILE,
    // Started from the operator's own configuration directory, that file is not a workspace's.
    ...(workspaceFile === places.configFile ? {} : { workspaceFile }),
  };
  return { sections: SECTIONS, profiles: PROFILES, contradictions: CONTRADICTIONS, sources };
}

/**
 * Changes the operator's own file; the directories are made first when they are missing.
 * Contract: throws before it writes when the daemon would not start with it (`changeConfig`).
 */
export function changeSettings(
  surroundings: Surroundings,
  flags: Flags,
  ...edits: readonly Edit[]
): void {
  prepareHome(surroundings.places);
  changeConfig(requestOf(surroundings, flags), ...edits);
}
