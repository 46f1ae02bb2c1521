import type { Platform, Requirement } from '../../tests/requirements.ts';
import type { Finding } from '../tree.ts';
import { REQUIREMENTS_FILE } from './check-requirements.ts';

export interface Evidence {
  /** Ids that a test cited and that test passed. */
  readonly verified: ReadonlySet<string>;
  readonly platform: NodeJS.Platform;
}

/** A citation in the source proves nothing if its test was skipped: every promise needs a pass. */
export function checkKept(
  requirements: Readonly<Record<string, Requirement>>,
  { verified, platform }: Evidence,
): readonly Finding[] {
  const here = platformWord(platform);
  return Object.entries(requirements)
    .filter(([id, { on }]) => (on === undefined || on.includes(here)) && !verified.has(id))
    .map(([id]) => ({ path: REQUIREMENTS_FILE, says: `no passing test verified \`${id}\`` }));
}

function platformWord(platform: NodeJS.Platform): Platform {
  if (platform === 'darwin') return 'macos';
  return platform === 'win32' ? 'windows' : 'linux';
}
