import { foldedParts } from './fold-name.ts';

/** Where the gateway keeps what is its own: keys, rules, journal. All absolute. */
export interface OwnPlaces {
  /** Relative paths of a call are of this folder. */
  readonly workspace: string;
  readonly folders: readonly string[];
}

/** `below`: whoever touches a path touches everything in it, so the way down counts as well. */
export type Reach = 'itself' | 'below';

export interface OwnGround {
  /** By the text of the paths alone: what a link leads to shows when it is opened. */
  touchedBy(paths: readonly string[], reach: Reach): boolean;
}

export function ownGround({ workspace, folders }: OwnPlaces): OwnGround {
  const root = resolved(workspace);
  const own = folders.map((folder) => resolved(folder));
  return {
    touchedBy: (paths, reach) =>
      paths.some((path) => {
        const parts = path.startsWith('/') ? resolved(path) : resolved(path, root);
        return own.some(
          (folder) => isIn(parts, folder) || (reach === 'below' && isIn(folder, parts)),
        );
      }),
  };
}

/** As many workspaces as a gateway has; more are no slower, only not remembered. */
const MOST_KEPT = 65;

/** Of each workspace by its path; what names none is about the gateway's own. */
export function ownGrounds({ workspace: home, folders }: OwnPlaces): (path: string) => OwnGround {
  const kept = new Map<string, OwnGround>();
  return (path) => {
    const workspace = path === '' ? home : path;
    const known = kept.get(workspace);
    if (known !== undefined) return known;
    const ground = ownGround({ workspace, folders });
    if (kept.size < MOST_KEPT) kept.set(workspace, ground);
    return ground;
  };
}

/** For questions about no machine in particular. */
export const NO_OWN_GROUND: OwnGround = ownGround({ workspace: '/', folders: [] });

type Parts = readonly string[];

function resolved(path: string, from: Parts = []): Parts {
  const parts = [...from];
  for (const part of foldedParts(path)) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts;
}

function isIn(parts: Parts, folder: Parts): boolean {
  return folder.length <= parts.length && folder.every((part, place) => parts[place] === part);
}
