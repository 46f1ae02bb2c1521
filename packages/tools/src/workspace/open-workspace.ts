import { type Stats, closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { PalyraError, quote } from '@palyra/kernel';

/** A folder held open: whoever exchanges a folder on the way to it afterwards changes nothing for us. */
export interface OpenWorkspace extends Disposable {
  readonly descriptor: number;
  /** As it was opened; an absolute path that starts with it is one of the workspace. */
  readonly path: string;
  readonly device: number;
  readonly owner: Owner;
  /** Folders below that no tool enters, whatever they are called: the gateway's own. */
  readonly closed: ReadonlySet<string>;
  /** By their last name, as they stood when somebody first asked: one call sees one state of them. */
  mountPoints(): ReadonlyMap<string, readonly MountPoint[]>;
}

/** Something empty that a sandbox has made, because a mask needs something to lie on. */
export interface MountPoint {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly device: number;
  readonly inode: number;
  /** Of its making: later it was used by somebody. */
  readonly changedMs: number;
}

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface WorkspacePlaces {
  /** Full path, through no link. */
  readonly path: string;
  /** Full paths of the gateway's own folders; those that do not exist are fine. */
  readonly gatewayFolders: readonly string[];
  /** In whatever workspace. Contract: from those who make them, and from nothing in a workspace; never throws. */
  readonly mountPoints: () => readonly MountPoint[];
}

const O_PATH = 0o10000000;
/** Only its place: nothing is read, nobody is woken, whatever it turns out to be. */
export const PLACE = O_PATH | constants.O_NOFOLLOW;
export const FOLDER = PLACE | constants.O_DIRECTORY;

/** Contract: throws SANDBOX_SCOPE_DENIED. The caller disposes of it after the last tool. */
export function openWorkspace({
  path,
  gatewayFolders,
  mountPoints,
}: WorkspacePlaces): OpenWorkspace {
  const names = path.split('/').slice(1);
  const isOneSpelling = path.startsWith('/') && !names.some((name) => ODD.has(name));
  if (!isOneSpelling || path.includes('\0')) {
    throw denied(path, 'is not an absolute path in one spelling');
  }
  const closed = new Set(gatewayFolders.flatMap(identityAt));
  const descriptor = openRoot(path, names);
  const { dev: device, uid, gid } = fstatSync(descriptor);
  const owner = { uid, gid };
  const close = () => closeSync(descriptor);
  return {
    descriptor,
    path,
    device,
    owner,
    closed,
    mountPoints: byLastName(mountPoints),
    [Symbol.dispose]: close,
  };
}

/** The kernel's own name for a place below a descriptor. */
export function below(descriptor: number, name: string): string {
  return `/proc/self/fd/${descriptor}/${name}`;
}

/** Contract: one step, through no link; throws as `open` does. The caller closes it. */
export function stepInto(descriptor: number, name: string): number {
  return openSync(below(descriptor, name), FOLDER);
}

export function identityOf({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}

const ODD = new Set(['', '.', '..']);

function openRoot(path: string, names: readonly string[]): number {
  let descriptor = openSync('/', FOLDER);
  for (const name of names) {
    try {
      const next = stepInto(descriptor, name);
      closeSync(descriptor);
      descriptor = next;
    } catch (cause) {
      closeSync(descriptor);
      throw denied(path, 'is not a folder that can be reached without a link', cause);
    }
  }
  return descriptor;
}

function byLastName(read: WorkspacePlaces['mountPoints']): OpenWorkspace['mountPoints'] {
  let known: ReadonlyMap<string, readonly MountPoint[]> | undefined;
  return () => (known ??= Map.groupBy(read(), ({ path }) => basename(path)));
}

/** One look, and nothing is thrown for what is usual: every call of a tool asks. */
function identityAt(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : [identityOf(stats)];
}

function denied(path: string, why: string, cause?: unknown): PalyraError {
  return new PalyraError('SANDBOX_SCOPE_DENIED', `the workspace ${quote(path)} ${why}`, {
    cause,
    help: 'name the folder itself, by its full path',
  });
}
