import { lstatSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { WorkspacePort } from '@palyra/gateway';
import { PalyraError, quote } from '@palyra/kernel';
import { workspaceFolder } from './folder-number.ts';
import { refuseOwnGround } from './own-ground.ts';
import { type OwnPlaces, ownPlaces, realPath } from './own-places.ts';
import type { Config, Surroundings } from './sections.ts';

/** The folders that runs may work in: the one it was started in, and those that the operator names. */
export interface Workspaces extends WorkspacePort {
  /** All but the home. */
  readonly further: readonly string[];
  /** Where a call works, and what it must not touch there. Contract: throws SANDBOX_SCOPE_DENIED. */
  groundIn(path: string): OwnPlaces;
}

type WorkspaceParts = Pick<Surroundings, 'places' | 'workspaceDir'> & {
  readonly config: { readonly runs: Pick<Config['runs'], 'workspaces'> };
};

/** Their paths are what they are when the daemon starts, as for whatever works in them. */
export function createWorkspaces({ config, places, workspaceDir }: WorkspaceParts): Workspaces {
  const { workspace: home, folders } = ownPlaces({ places, workspaceDir });
  const further = new Set(config.runs.workspaces.map(realPath));
  further.delete(home);
  const has = (path: string) => path === home || further.has(path);
  const groundIn = (path: string): OwnPlaces => {
    if (!has(path)) throw unnamed(path);
    if (path !== home) refuseAsFurther({ workspace: path, folders }, home);
    return { workspace: path, folders };
  };
  return {
    home,
    further: [...further],
    has,
    groundIn,
    choose: (named) => groundIn(named === '' ? home : realPath(named)).workspace,
    now: workspaceFolder,
  };
}

/** What a folder says for itself, which counts only where a gateway was started in it. */
const OWN_WAYS = ['palyra.toml', join('.palyra', 'policies')];

/**
 * Rules and settings of a workspace may only take away. Where they would not be heard, nothing is
 * done, and nobody gets at those of the home from a folder around it. Asked at every call: what
 * is not there yet may come.
 */
function refuseAsFurther(own: OwnPlaces, home: string): void {
  const { workspace } = own;
  refuseOwnGround(own);
  if (isWithin(workspace, home) || isWithin(home, workspace)) {
    throw denied(`the folder ${quote(workspace)} and the gateway's own, ${quote(home)}, overlap`, {
      help: 'name folders beside that in which the gateway was started',
    });
  }
  const found = OWN_WAYS.find((name) => mayBeThere(join(workspace, name)));
  if (found === undefined) return;
  const why = 'which counts only where a gateway was started';
  throw denied(`the folder ${quote(workspace)} has a ${quote(found)} of its own, ${why}`, {
    help: `start a gateway there: \`cd ${workspace} && palyra up\``,
  });
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder === sep ? sep : `${folder}${sep}`);
}

function mayBeThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Whoever may not look cannot know.
    return true;
  }
}

function unnamed(path: string): PalyraError {
  return denied(`runs may not work in ${quote(path)}`, {
    help: 'name it in `runs.workspaces`, and start the gateway anew; `palyra config explain runs.workspaces` says where',
  });
}

function denied(message: string, way: { readonly help: string }): PalyraError {
  return new PalyraError('SANDBOX_SCOPE_DENIED', message, way);
}
