import type { Json } from '@palyra/kernel';
import * as z from 'zod';

/** Where this installation runs. A profile is a set of values weaker than every file. */
export const PROFILE_NAMES = ['local', 'single-vm', 'worker-enabled'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Older spellings; they are taken, and shown by the name above. */
const ALIASES = { local_desktop: 'local', remote_vps: 'single-vm' } as const;
const ALIAS_NAMES = ['local_desktop', 'remote_vps'] as const;

/** The `[deployment]` section of palyra.toml. */
export const deploymentSection = z
  .object({
    profile: z
      .enum([...PROFILE_NAMES, ...ALIAS_NAMES])
      .default('local')
      .transform(canonicalProfile)
      .describe('where this installation runs; decides the defaults of other keys'),
  })
  .strict()
  .describe('what this installation is for');

export const PROFILE_KEY = 'deployment.profile';

export interface Profile {
  readonly description: string;
  /** Values by `section.key`, as they would stand in a file. */
  readonly settings: Readonly<Record<string, Json>>;
}

export type Profiles = Readonly<Record<ProfileName, Profile>>;

/** What each profile is for. The composer adds the values. */
export const PROFILES: Profiles = {
  local: {
    description: 'one person on their own machine; nothing listens beyond it',
    settings: {},
  },
  'single-vm': {
    description: 'one server that people and devices reach over the network',
    settings: {},
  },
  'worker-enabled': {
    description: 'a server that also hands tool calls to remote workers',
    settings: {},
  },
};

export function aliasesOf(profile: ProfileName): readonly string[] {
  return ALIAS_NAMES.filter((alias) => ALIASES[alias] === profile);
}

/** The table of docs/reference: a row a profile and key. */
export function renderProfilesTable(profiles: Profiles): string {
  const rows = PROFILE_NAMES.map((name) => {
    const { description, settings } = profiles[name];
    const aliases = aliasesOf(name).map((alias) => `\`${alias}\``);
    const sets = Object.entries(settings).map(
      ([key, value]) => `\`${key} = ${JSON.stringify(value)}\``,
    );
    return `| \`${name}\` | ${cell(aliases, ', ')} | ${description} | ${cell(sets, '<br>')} |`;
  });
  return ['| Profile | Also called | For | Sets |', '| --- | --- | --- | --- |', ...rows, ''].join(
    '\n',
  );
}

function cell(items: readonly string[], separator: string): string {
  return items.length === 0 ? '–' : items.join(separator);
}

function canonicalProfile(name: ProfileName | keyof typeof ALIASES): ProfileName {
  return name === 'local_desktop' || name === 'remote_vps' ? ALIASES[name] : name;
}
