import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Surroundings } from './sections.ts';

/** What the machine's administrator sets for every gateway on it. */
const SYSTEM_FOLDER = '/etc/palyra';
/** Where sandboxes of root are made. */
const ROOTS_FOLDER = '/var/lib/palyra';

export interface OwnPlaces {
  readonly workspace: string;
  readonly folders: readonly string[];
}

/**
 * The folders that no agent touches, as they are written and as they really are: a home that is a link
 * has two names, and paths of the workspace lead to the second.
 */
export function ownPlaces({
  places,
  workspaceDir,
}: Pick<Surroundings, 'places' | 'workspaceDir'>): OwnPlaces {
  const written = [places.configDir, places.stateDir, SYSTEM_FOLDER, ROOTS_FOLDER];
  const folders = new Set([...written, ...written.map(realPath)]);
  return { workspace: realPath(workspaceDir), folders: [...folders] };
}

/** Of what is not there yet, the part that is: whoever makes the rest makes it in there. */
export function realPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const above = dirname(absolute);
    return above === absolute ? absolute : join(realPath(above), basename(absolute));
  }
}
