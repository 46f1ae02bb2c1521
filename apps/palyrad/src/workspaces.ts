import { lstatSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { WorkspacePort } from '@palyra/gateway';
import { PalyraError, quote } from '@palyra/kernel';
import { workspaceFolder } from './folder-number.ts';
import { refuseOwnGround } from './own-ground.ts';
import { type OwnPlaces, ownPlaces, realPath } from './own-places.ts';
import { standingMountPoints } from './sandbox-process.ts';
import type { Config, Surroundings } from './sections.ts';

/** The folders that runs may work in: the one it was started in, and those that the operator names. */
export interface Workspaces extends WorkspacePort {
  /** All but the home. */
  readonly further: readonly string[];
  /** Where a call works, and what it must not touch there. Contract: throws SANDBOX_SCOPE_DENIED. */
  groundIn(path: string): OwnPlaces;
  /** What sandboxes have made in any folder for masks to lie on: nobody else's files. */
  mountPoints(): ReturnType<typeof standingMountPoints>;
}

type WorkspaceParts = Pick<Surroundings, 'places' | 'workspaceDir'> & {
  readonly config: { readonly runs: Pick<Config['runs'], 'workspaces'> };
};

/** Their paths are what they are when the daemon starts, as for whatever works in them. */
export function createWorkspaces({ config, places, workspaceDir }: WorkspaceParts): Workspaces {
  const { workspace: home, folders } = ownPlaces({ places, workspaceDir });
  const named = [workspaceDir, ...config.runs.workspaces];
  // As they are written and as they really are: whoever asks is told nothing that is on the disk.
  const known = new Map(named.flatMap((path) => waysTo(path)));
  const further = new Set(known.values());
  further.delete(home);
  const has = (path: string) => path === home || further.has(path);
  const groundIn = (path: string): OwnPlaces => {
    if (!has(path)) throw unnamed(path);
    const others = [home, ...further].filter((other) => other !== path);
    if (path !== home) refuseAsFurther({ workspace: path, folders }, others);
    return { workspace: path, folders };
  };
  const choose = (asked: string): string => {
    const path = asked === '' ? home : known.get(asked);
    if (path === undefined) throw unnamed(asked);
    return groundIn(path).workspace;
  };
  return {
    home,
    further: [...further],
    has,
    groundIn,
    mountPoints: () => standingMountPoints(places.sandboxDir),
    choose,
    now: workspaceFolder,
  };
}

function waysTo(path: string): readonly (readonly [written: string, real: string])[] {
  const real = realPath(path);
  return [resolve(path), real].map((written) => [written, real] as const);
}

/** What a folder says for itself, which counts only where a gateway was started in it. */
const OWN_WAYS = ['palyra.toml', join('.palyra', 'policies')];

/**
 * Rules and settings of a workspace may only take away. Where they would not be heard, nothing is
 * done, and nobody gets at those of one folder from another around it. Asked at every call: what is
 * not there yet may come.
 */
function refuseAsFurther(own: OwnPlaces, others: readonly string[]): void {
  const { workspace } = own;
  refuseOwnGround(own);
  const around = others.find((other) => isWithin(workspace, other) || isWithin(other, workspace));
  if (around !== undefined) {
    throw denied(`the workspaces ${quote(workspace)} and ${quote(around)} overlap`, {
      help: 'name folders in `runs.workspaces` that lie beside one another and beside the gateway’s own',
    });
  }
  const found = OWN_WAYS.find((name) => maySaySomething(join(workspace, name)));
  if (found === undefined) return;
  const why = 'which counts only where a gateway was started';
  throw denied(`the folder ${quote(workspace)} has a ${quote(found)} of its own, ${why}`, {
    help: `start a gateway there: \`cd ${workspace} && palyra up\``,
  });
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder === sep ? sep : `${folder}${sep}`);
}

/** An empty file says nothing, and stands there by itself while a sandbox keeps its name. */
function maySaySomething(path: string): boolean {
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    return status !== undefined && !(status.isFile() && status.size === 0);
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
