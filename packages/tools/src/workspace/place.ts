import { type Stats, closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { WORKSPACE } from '../canonical/path.ts';
import { isMountPointAt } from './mount-points.ts';
import { REPOSITORY_MARKS, isDraft, isProtected } from './names.ts';
import { type OpenWorkspace, PLACE, below, identityOf, stepInto } from './open-workspace.ts';
import { absent, explain, failed, outside } from './refusals.ts';
import { ENTER, READ, ownerMay } from './rights.ts';
import { type SecondName, secondNameOf } from './secret-links.ts';

/** Something that is open, and what it was when it was opened. */
export interface Opened extends Disposable {
  readonly descriptor: number;
  readonly stats: Stats;
}

export interface OpenedFolder extends Opened {
  /** From the workspace, '' for itself. */
  readonly path: string;
}

/**
 * The names of a path below the workspace. One that usually holds secrets is a name like any other
 * here: whether it may be read or written was for the rules to say, and they were asked.
 * Contract: throws SANDBOX_SCOPE_DENIED for anything that is not below it.
 */
export function namesOf(workspace: OpenWorkspace, path: string): readonly string[] {
  const inside = path.startsWith('/') ? insideOf(workspace, path) : path;
  const names = inside === WORKSPACE || inside === '' ? [] : inside.split('/');
  for (const name of names) {
    if (name === '' || name === '.' || name === '..' || name.includes('\0')) {
      throw outside(path, 'is not in one spelling');
    }
    if (isDraft(name)) throw outside(path, 'is a draft of the gateway');
  }
  return names;
}

/** Contract: the same names, or throws when one is of what other programs obey. */
export function writableNamesOf(workspace: OpenWorkspace, path: string): readonly string[] {
  const names = namesOf(workspace, path);
  if (isProtected(names)) throw outside(path, 'is obeyed by other programs and not written');
  return names;
}

/**
 * Step by step, each one checked after it was opened; from the workspace, or from a folder in it.
 * Contract: throws PalyraErrors only.
 */
export function openFolder(
  workspace: OpenWorkspace,
  names: readonly string[],
  from: Pick<OpenedFolder, 'descriptor' | 'path'> = { ...workspace, path: '' },
): OpenedFolder {
  const path = [from.path, ...names].filter((part) => part !== '').join('/');
  let descriptor: number | undefined;
  try {
    descriptor = stepInto(from.descriptor, '.');
    for (const name of names) {
      if (isMountPointAt(workspace, { descriptor }, name)) throw absent(path);
      const next = stepInto(descriptor, name);
      closeSync(descriptor);
      descriptor = next;
      checkFolder(workspace, fstatSync(descriptor), path);
    }
    return { ...hold(descriptor), path };
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    throw explain(error, path || WORKSPACE);
  }
}

/** Contract: `undefined` when nothing has that name; a link is held as the link it is. */
export function openPlace(folder: Opened, name: string): Opened | undefined {
  try {
    return hold(openSync(below(folder.descriptor, name), PLACE));
  } catch (error) {
    const explained = explain(error, name);
    if (explained.code === 'NOT_FOUND') return undefined;
    throw explained;
  }
}

/** A plain file to read from. Contract: throws PalyraErrors only; never opens a pipe or a device. */
export function openFile(workspace: OpenWorkspace, folder: OpenedFolder, name: string): Opened {
  const path = pathIn(folder, name);
  using place = openPlace(folder, name);
  if (place === undefined || isMountPointAt(workspace, folder, name)) throw absent(path);
  checkFile(workspace, place.stats, path);
  try {
    // Through the place that was looked at: whatever has its name by now is another file.
    return hold(openSync(`/proc/self/fd/${place.descriptor}`, READ_ONLY));
  } catch (error) {
    throw explain(error, path);
  }
}

/**
 * The same in one step, for what a listing has called a file: should it have become something else,
 * it is opened without waiting, and refused then. Contract: as `openFile`.
 */
export function openListed(workspace: OpenWorkspace, folder: OpenedFolder, name: string): Opened {
  const path = pathIn(folder, name);
  let file: Opened | undefined;
  try {
    file = hold(openSync(below(folder.descriptor, name), READ_ONLY | constants.O_NOFOLLOW));
    checkFile(workspace, file.stats, path);
    return file;
  } catch (error) {
    file?.[Symbol.dispose]();
    throw explain(error, path);
  }
}

const READ_ONLY = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

function checkFile(workspace: OpenWorkspace, stats: Stats, path: string): void {
  if (stats.isSymbolicLink()) throw outside(path, 'is a symbolic link');
  if (stats.isDirectory()) throw failed(path, 'is a folder', 'name a file in it');
  if (!stats.isFile()) throw outside(path, 'is a pipe, a socket or a device, not a file');
  if (stats.dev !== workspace.device) throw outside(path, 'lies on another file system');
  if (stats.nlink > 1 && stats.uid !== workspace.owner.uid) {
    throw outside(path, 'is a second name of a file that belongs to somebody else');
  }
  refuseSecret(secondNameOf(workspace, stats, path), path);
  if (!ownerMay(workspace.owner, stats, READ)) {
    throw failed(path, 'may not be read by the owner of the workspace', 'ask them for the right');
  }
}

function refuseSecret(secondName: SecondName, path: string): void {
  switch (secondName) {
    case 'innocent':
      return;
    case 'of-a-secret':
      throw outside(path, 'is a second name of a file that is guarded as a secret');
    case 'unknown':
      throw outside(path, 'has a second name, which cannot be told from that of a secret here');
  }
}

/** Contract: itself, no link followed; `undefined` for what is not there or cannot be seen. */
export function glanceAt(folder: Opened, name: string): Stats | undefined {
  try {
    return lstatSync(below(folder.descriptor, name), { throwIfNoEntry: false });
  } catch (error) {
    if (explain(error, name).code === 'UNEXPECTED') throw error;
    return undefined;
  }
}

/** Looked for by its content, so that a repository under another name is one, too. */
export function isRepository(workspace: OpenWorkspace, folder: Opened): boolean {
  return REPOSITORY_MARKS.every(
    (mark) => glanceAt(folder, mark) !== undefined && !isMountPointAt(workspace, folder, mark),
  );
}

export function pathIn(folder: OpenedFolder, name: string): string {
  return folder.path === '' ? name : `${folder.path}/${name}`;
}

function checkFolder(workspace: OpenWorkspace, stats: Stats, path: string): void {
  if (stats.dev !== workspace.device) throw outside(path, 'lies on another file system');
  if (workspace.closed.has(identityOf(stats))) throw outside(path, 'belongs to the gateway');
  if (!ownerMay(workspace.owner, stats, ENTER)) {
    throw failed(path, 'may not be entered by the owner of the workspace', 'ask for the right');
  }
}

function insideOf(workspace: OpenWorkspace, path: string): string {
  if (path === workspace.path) return '';
  if (path.startsWith(`${workspace.path}/`)) return path.slice(workspace.path.length + 1);
  throw outside(path, 'lies outside the workspace');
}

function hold(descriptor: number): Opened {
  const close = () => closeSync(descriptor);
  return { descriptor, stats: fstatSync(descriptor), [Symbol.dispose]: close };
}
