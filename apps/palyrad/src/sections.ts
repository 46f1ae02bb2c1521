import {
  type ConfigSources,
  type LoadedConfig,
  PROFILES,
  type Config as SectionsConfig,
  SYSTEM_FILE,
  deploymentSection,
  loadConfig,
  prepareHome,
  setInFile,
} from '@palyra/config';
import { runsSection } from '@palyra/gateway';
import { journalSection } from '@palyra/journal';
import type { Environment, Places } from '@palyra/kernel';
import { modelsSection } from '@palyra/models';
import { transportSection } from '@palyra/transport';
import type { Flags } from './command-line.ts';
import { logSection } from './log-section.ts';

/** Every section of palyra.toml, each from the package that owns it. */
export const SECTIONS = {
  deployment: deploymentSection,
  journal: journalSection,
  log: logSection,
  models: modelsSection,
  runs: runsSection,
  transport: transportSection,
} as const;

export type Config = SectionsConfig<typeof SECTIONS>;

export interface Surroundings {
  readonly environment: Environment;
  readonly places: Places;
}

/** Contract: throws with every problem of every layer. */
export function loadSettings(
  { environment, places }: Surroundings,
  flags: Flags,
): LoadedConfig<typeof SECTIONS> {
  const sources: ConfigSources = { places, environment, flags, systemFile: SYSTEM_FILE };
  return loadConfig({ sections: SECTIONS, profiles: PROFILES, contradictions: [], sources });
}

/** Changes the operator's own file; the directories are made first when they are missing. */
export function changeSetting(places: Places, key: string, value: string): void {
  prepareHome(places);
  setInFile(SECTIONS, places.configFile, { key, value });
}
