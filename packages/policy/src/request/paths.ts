import { quote } from '@palyra/kernel';
import { familyOf, foldedParts } from './fold-name.ts';
import { underFacts } from './under.ts';
import { sortedSet } from './words.ts';

export const MAX_PATHS = 64;
export const MAX_PATH_PARTS = 128;

/** Contract: paths in which `pathProblem` found nothing. */
export function pathFacts(paths: readonly string[]) {
  const { allUnder, anyUnder } = underFacts(paths.map(foldersOf));
  return {
    all: sortedSet(paths),
    allUnder,
    anyUnder,
    parts: sortedSet(paths.flatMap(partsOf).flatMap((name) => [name, familyOf(name) ?? name])),
    names: sortedSet(paths.map(nameOf)),
    extensions: sortedSet(paths.map(extensionOf)),
  };
}

/** Paths are compared as text, so a second spelling of one would slip past the rules. */
export function pathProblem(paths: readonly string[]): string | undefined {
  if (paths.length > MAX_PATHS) return `the call names more than ${MAX_PATHS} paths`;
  const deep = paths.find((path) => path.split('/').length > MAX_PATH_PARTS);
  if (deep !== undefined) return `the path ${quote(deep)} has more than ${MAX_PATH_PARTS} parts`;
  const odd = paths.find((path) => spellPath(path) !== path);
  return odd === undefined ? undefined : `the path ${quote(odd)} is not in its one spelling`;
}

/** The one spelling of a path; `undefined` where nobody can tell from its text where it leads. */
export function spellPath(text: string): string | undefined {
  if (text.includes('\0') || HOME.test(text)) return undefined;
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) return undefined;
  return text.startsWith('/') ? `/${names.join('/')}` : names.join('/') || '.';
}

/** A folder of that name is possible, but whoever writes it means another one; `~draft.md` is a file. */
const HOME = /^~(?:\/|$)/;

/** What `parts` would hold of it alone. */
export function partsOf(path: string): string[] {
  // A separator of another width becomes one only when its name is folded.
  return foldedParts(path).flatMap((part) => (/[/\\]/.test(part) ? foldedParts(part) : [part]));
}

/** As `extensions` would hold it; `undefined` for what is none. */
export function spellExtension(text: string): string | undefined {
  if (text === '' || text.includes('/')) return text === '' ? text : undefined;
  return extensionOf(`x.${text}`) || undefined;
}

/** `a/b` is in `.`, `a` and `a/b`; `/a/b` in `/`, `/a` and `/a/b`. */
function foldersOf(path: string): string[] {
  const root = path.startsWith('/') ? '/' : '.';
  if (path === root) return [root];
  const folders = [root];
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
    folders.push(path.slice(0, end));
  }
  return [...folders, path];
}

export function nameOf(path: string): string {
  return path === '/' ? path : path.slice(path.lastIndexOf('/') + 1);
}

/** Empty for a name without one, so that a rule about «only these» sees that file too. */
function extensionOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}
