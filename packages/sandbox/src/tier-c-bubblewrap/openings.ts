import { closeSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isOutOfDescriptors } from '../out-of-descriptors.ts';
import type { Opened } from './descriptors.ts';
import { exchanged } from './guard/observe-guards.ts';
import { type Account, cannotMap, layOver, mapWorkspace } from './mapped-workspace.ts';
import type { Descriptor } from './plan.ts';
import type { Drawn } from './prepare.ts';
import { type Workshop, guardsBy } from './workshop.ts';
import { type Workspace, openPlace } from './workspace.ts';

export interface Access {
  /** The workspace as the command's user can use it. */
  readonly root: number;
  readonly runAs: Account | undefined;
  /** Contract: once the sandbox has its copy, and before what guards it is looked at. Throws. */
  readonly part: () => void;
  readonly weaknesses: readonly string[];
}

const O_PATH = 0o10000000;
const O_PATH_FOLDER = O_PATH | 0o200000;

/** As root, nothing runs as root: in an id-mapped view of the workspace, or else as its owner. */
export async function accessTo(
  { root, libc, mountPlaces: places }: Workshop,
  workspace: Workspace,
  stack: DisposableStack,
): Promise<Access> {
  const { descriptor, owner } = workspace;
  const asItIs = { root: descriptor, part: () => {} };
  if (root === undefined) return { ...asItIs, runAs: undefined, weaknesses: [] };
  const view = (namespace: number | undefined) => {
    const mapped = stack.use(mapWorkspace(workspace, { libc, places, namespace }));
    return { root: mapped.descriptor, part: mapped.part };
  };
  try {
    if (!root.ownsMounts) throw cannotMap('it was not started in a mount namespace of its own');
    const namespace = await root.mapFor(owner);
    return { ...view(namespace), runAs: root.account, weaknesses: [] };
  } catch (error) {
    if (owner.uid === 0 || owner.gid === 0 || isOutOfDescriptors(error)) throw error;
    const place = root.ownsMounts ? view(undefined) : asItIs;
    return { ...place, runAs: owner, weaknesses: [AS_OWNER] };
  }
}

const AS_OWNER = 'commands run as the owner of the workspace: this machine cannot map its ids';

/** What each descriptor of a site's plan is. */
export function openAll(
  { furniture }: Workshop,
  { etc: { folder }, plan }: Drawn,
  { root, opened }: { readonly root: number; readonly opened: Opened },
): Map<Descriptor, number> {
  const etc = opened.add(openSync(folder, O_PATH_FOLDER));
  const masks = new Map<string, number>();
  const maskAt = (mask: string) => masks.get(mask) ?? opened.add(openSync(mask, O_PATH));
  const guards = plan.guarded.map(({ path, how }, place) => {
    const mask = furniture.maskFor(how);
    const descriptor = mask === undefined ? opened.add(openGuarded(root, path)) : maskAt(mask);
    if (mask !== undefined) masks.set(mask, descriptor);
    return [`guard:${place}`, descriptor] as const;
  });
  const nothing = maskAt(furniture.nothing);
  return new Map<Descriptor, number>([
    ['etc', etc],
    ['nothing', nothing],
    ['workspace', root],
    ...guards,
  ]);
}

/** Where bwrap is not told to: what it binds when it is let go on has all of them. */
export function layGuards(
  workshop: Workshop,
  { plan }: Pick<Drawn, 'plan'>,
  { root, descriptors }: { root: number; descriptors: ReadonlyMap<Descriptor, number> },
): void {
  if (guardsBy(workshop) !== 'maker') return;
  const { libc } = workshop;
  for (const [place, { path, how }] of plan.guarded.entries()) {
    const source = descriptors.get(`guard:${place}`) ?? -1;
    const lay = (folder: number) =>
      layOver(
        libc,
        { source, folder, name: basename(path) },
        how === 'pinned' ? 'writable' : 'read-only',
      );
    const above = dirname(path);
    if (above === '.') lay(root);
    else inFolder(root, above, lay);
  }
}

function inFolder(root: number, path: string, use: (folder: number) => void): void {
  const folder = openGuarded(root, path);
  try {
    use(folder);
  } finally {
    closeSync(folder);
  }
}

function openGuarded(root: number, path: string): number {
  try {
    return openPlace(root, path);
  } catch (cause) {
    throw exchanged(path, cause);
  }
}
