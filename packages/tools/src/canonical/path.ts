import { WORKSPACE_IN_CAGE, quote } from '@palyra/kernel';
import { type Reading, type Unreadable, read, unreadable } from './reading.ts';
import { findUnseen } from './unseen.ts';

export const MAX_PATH_BYTES = 4096;
export const MAX_NAME_BYTES = 255;
/** Rules speak of every folder above a path, so the folders are counted too. */
export const MAX_PATH_NAMES = 64;

/** The workspace itself. */
export const WORKSPACE = '.';

/**
 * A path in its one spelling: relative ones are of the workspace, which is `.`.
 * Only what every file system reads alike is put right (`.`, repeated and final slashes); anything
 * else that has a second spelling is refused, because the bytes of a name are the name: another
 * spelling is another file. Case is kept for the same reason. Where a file system ignores it, rules
 * compare folded names, and whoever opens the file checks what was really opened.
 */
export function readPath(text: string): Reading<string> {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  const path = text.startsWith('/') ? `/${names.join('/')}` : names.join('/') || WORKSPACE;
  return problemOfText(text) ?? problemOfForm(path) ?? problemOfNames(names, path) ?? read(path);
}

/**
 * Written from the workspace where it lies in it, by its own name or by the one that models learn from
 * programs in a cage; by its text alone. Contract: takes a path in its one spelling.
 */
export function fromWorkspace(path: string, workspace: string): string {
  const own = namedBelow(workspace, path);
  if (own !== undefined) return own;
  // Below a real folder of that name a path could mean two things, and is only what the machine calls it.
  const isTaken = namedBelow(WORKSPACE_IN_CAGE, workspace) !== undefined;
  return (isTaken ? undefined : namedBelow(WORKSPACE_IN_CAGE, path)) ?? path;
}

/** By its text. Contract: `undefined` for what lies elsewhere. */
export function namedBelow(folder: string, path: string): string | undefined {
  if (path === folder) return WORKSPACE;
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}

/** A path that can only be a folder cannot be written to. */
export function readFilePath(text: string): Reading<string> {
  const path = readPath(text);
  if (path.kind === 'unreadable') return path;
  if (path.value !== WORKSPACE && path.value !== '/') return path;
  return unreadable('names a folder, not a file', 'name the file, such as `docs/notes.md`');
}

function problemOfText(text: string): Unreadable | undefined {
  if (text === '') return unreadable('is empty', 'write `.` for the workspace');
  if (Buffer.byteLength(text) > MAX_PATH_BYTES) {
    return unreadable(`is longer than ${MAX_PATH_BYTES} bytes`, 'start closer to the file');
  }
  const unseen = findUnseen(text);
  if (unseen !== undefined) {
    return unreadable(`holds ${unseen}, which nobody can see`, 'leave that character out');
  }
  if (text.normalize('NFC') === text) return undefined;
  return unreadable(
    `spells a character in parts: ${quote(text)}`,
    'write it in unicode normal form C; a file whose name is spelled otherwise must be renamed',
  );
}

/** What looks like a path of another world, and would be a strange file in this one. */
const FOREIGN_FORMS: readonly (readonly [RegExp, string, string])[] = [
  [/^[a-z]:/i, 'starts with a drive letter', 'write it from the workspace, such as `docs/a.txt`'],
  [/^[a-z][\w+.-]*:\//i, 'is an address, not a path', 'write the path alone, without a scheme'],
  [/^\\/u, 'starts with a backslash', 'separate names with `/`'],
  [/^~/u, 'starts with `~`', 'write the folder itself; nothing stands for a home here'],
];

function problemOfForm(path: string): Unreadable | undefined {
  const found = FOREIGN_FORMS.find(([form]) => form.test(path));
  if (found === undefined) return undefined;
  return unreadable(found[1], found[2]);
}

function problemOfNames(names: readonly string[], path: string): Unreadable | undefined {
  if (names.length > MAX_PATH_NAMES) {
    return unreadable(`has more than ${MAX_PATH_NAMES} names in it`, 'start closer to the file');
  }
  for (const name of names) {
    const problem = problemOfName(name, path);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfName(name: string, path: string): Unreadable | undefined {
  // Behind a symbolic link `a/../b` is not `b`: nobody can tell from the text where it leads.
  // A backslash is a letter here and a separator elsewhere, so it must not hide one either.
  if (name.split('\\').includes('..')) {
    return unreadable(`holds \`..\`: ${quote(path)}`, 'write where it leads, from the workspace');
  }
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    return unreadable(`has a name of more than ${MAX_NAME_BYTES} bytes`, 'shorten the name');
  }
  // Some file systems drop them, and open another file than the rules have seen.
  if (!/[. ]$/u.test(name)) return undefined;
  return unreadable(`has a name that ends in a dot or a space: ${quote(name)}`, 'leave that out');
}
