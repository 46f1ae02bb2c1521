import { quote } from '@palyra/kernel';
import { readFilePath } from '../canonical/path.ts';
import { type Reading, type Unreadable, read, unreadable } from '../canonical/reading.ts';
import { GIT_LINE, isEmptyBlob, isNoBlob, nameInGitLine, readGitName } from './git-names.ts';
import { type Hunk, readHunks } from './hunks.ts';
import { Lines } from './lines.ts';

/** One file of a patch. Paths are in their one spelling, from the workspace. */
export type FilePatch =
  | { readonly kind: 'change' | 'delete' | 'create'; readonly path: string; readonly hunks: Hunks }
  | {
      readonly kind: 'rename';
      readonly from: string;
      readonly path: string;
      readonly hunks: Hunks;
    };

type Hunks = readonly Hunk[];

export const MAX_FILES = 64;

/**
 * A unified diff, as `git diff` and `diff -u` write it. Everything that two readers could take for
 * two things is refused: what is judged and shown is what is done.
 * Contract: never throws, whatever the text.
 */
export function readPatch(text: string): Reading<readonly FilePatch[]> {
  const lines = new Lines(text);
  const files: FilePatch[] = [];
  const touched = new Set<string>();
  for (;;) {
    lines.skipEmpty();
    if (lines.isAtEnd) break;
    const start = lines.number;
    const file = readFile(lines);
    if (file.kind === 'unreadable') return file;
    for (const path of pathsOf(file.value)) {
      if (touched.has(path)) return at(start, `names ${quote(path)} a second time`, ONCE);
      touched.add(path);
    }
    files.push(file.value);
    if (files.length > MAX_FILES) {
      return unreadable(`changes more than ${MAX_FILES} files`, 'split the patch');
    }
  }
  return files.length > 0 ? read(files) : unreadable('changes nothing', FORMAT);
}

export function pathsOf(file: FilePatch): readonly string[] {
  return file.kind === 'rename' ? [file.from, file.path] : [file.path];
}

const ONCE = 'put all changes of a file under one header';
const FORMAT = 'write `--- a/FILE`, `+++ b/FILE`, then hunks that start with `@@ -1,3 +1,4 @@`';
const NOWHERE = '/dev/null';

/** What comes before `---`. All as it is written. */
interface Header {
  readonly gitLine: string;
  readonly renameFrom: string | undefined;
  readonly renameTo: string | undefined;
  /** What the file was and becomes, by hash. */
  readonly blobs: readonly [string, string] | undefined;
}

function readFile(lines: Lines): Reading<FilePatch> {
  const start = lines.number;
  const header = readHeader(lines);
  if (header.kind === 'unreadable') return header;
  const sides = readSides(lines);
  if (sides.kind === 'unreadable') return sides;
  const hunks = sides.value === undefined ? read([]) : readHunks(lines);
  if (hunks.kind === 'unreadable') return hunks;
  const named = namesOf(start, header.value, sides.value);
  if (named.kind === 'unreadable') return named;
  return join({ start, hunks: hunks.value, ...named.value });
}

/** Lines of git before `---`, of which only a rename and an empty file mean something here. */
function readHeader(lines: Lines): Reading<Header> {
  let renameFrom: string | undefined;
  let renameTo: string | undefined;
  let blobs: Header['blobs'];
  const gitLine = lines.peek()?.startsWith(GIT_LINE) === true ? (lines.next() ?? '') : '';
  for (;;) {
    const line = lines.peek() ?? '';
    const [, was, becomes] = INDEX.exec(line) ?? [];
    if (was !== undefined && becomes !== undefined) blobs = [was, becomes];
    else if (line.startsWith('rename from ')) renameFrom = line.slice(12);
    else if (line.startsWith('rename to ')) renameTo = line.slice(10);
    else if (!HARMLESS.some((form) => form.test(line))) break;
    lines.next();
  }
  const refused = REFUSED.find(([form]) => form.test(lines.peek() ?? ''));
  return refused === undefined
    ? read({ gitLine, renameFrom, renameTo, blobs })
    : at(lines.number, refused[1], refused[2]);
}

const INDEX = /^index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: 100(?:644|755))?$/;
const HARMLESS: readonly RegExp[] = [
  /^new file mode 100644$/,
  /^deleted file mode 100(?:644|755)$/,
  /^similarity index \d{1,3}%$/,
];

const REFUSED: readonly (readonly [RegExp, string, string])[] = [
  [/^(?:new|deleted) file mode/, 'makes something else than a plain file', 'use mode 100644'],
  [/^(?:old|new) mode/, 'changes the mode of a file', 'leave the mode as it is'],
  [/^copy (?:from|to) /, 'copies a file', 'write the new file in full'],
  [/^(?:GIT binary patch|Binary files )/, 'changes a file that is no text', 'write it otherwise'],
];

interface Sides {
  readonly old: string;
  readonly new: string;
}

/** Contract: `undefined` when there are none, as with a rename that changes nothing else. */
function readSides(lines: Lines): Reading<Sides | undefined> {
  const before = lines.peek() ?? '';
  if (!before.startsWith('--- ')) return read(undefined);
  const { number } = lines;
  lines.next();
  const after = lines.peek() ?? '';
  if (!after.startsWith('+++ ')) return at(number + 1, 'has no `+++` after `---`', FORMAT);
  lines.next();
  const [old, now] = [nameIn(before.slice(4), number), nameIn(after.slice(4), number + 1)];
  if (old.kind === 'unreadable') return old;
  if (now.kind === 'unreadable') return now;
  return read(withoutPrefixes({ old: old.value, new: now.value }));
}

/** Some write a time after a tab. */
function nameIn(written: string, line: number): Reading<string> {
  const name = readGitName(written);
  if (name.kind === 'unreadable') return at(line, name.reason, name.help);
  const { rest } = name.value;
  if (rest === '' || rest.startsWith('\t')) return read(name.value.name);
  return at(line, 'has words after a path in quotes', 'leave them out');
}

/** `a/` and `b/` belong to the format when both are there, and to the path when one is alone. */
function withoutPrefixes(sides: Sides): Sides {
  const isPrefixed =
    (sides.old === NOWHERE || sides.old.startsWith('a/')) &&
    (sides.new === NOWHERE || sides.new.startsWith('b/'));
  const bare = (path: string) => (path === NOWHERE || !isPrefixed ? path : path.slice(2));
  return { old: bare(sides.old), new: bare(sides.new) };
}

type GitHeader = Pick<Header, 'gitLine' | 'blobs'>;

/** Which file it is about, read from whatever names it. */
interface Names extends Sides {
  readonly kind: 'written' | 'renamed' | 'empty';
}

function namesOf(
  start: number,
  { renameFrom, renameTo, ...header }: Header,
  sides: Sides | undefined,
): Reading<Names> {
  if (renameFrom === undefined && renameTo === undefined) {
    return sides === undefined ? emptyFile(start, header) : writtenFile(start, header, sides);
  }
  if (sides === undefined && (renameFrom === undefined || renameTo === undefined)) {
    return noBeginning(start);
  }
  const [from, to] = [nameIn(renameFrom ?? '', start), nameIn(renameTo ?? '', start)];
  if (from.kind === 'unreadable') return from;
  if (to.kind === 'unreadable') return to;
  if (sides !== undefined && (sides.old !== from.value || sides.new !== to.value)) {
    return at(start, 'names other files in `rename` than in `---` and `+++`', 'name the same');
  }
  return read({ kind: 'renamed', old: from.value, new: to.value });
}

/** Of a header with hunks of another file below it something would be left out. */
function writtenFile(start: number, { gitLine }: GitHeader, sides: Sides): Reading<Names> {
  const name = nameInGitLine(gitLine);
  if (name.kind === 'unreadable') return at(start, name.reason, name.help);
  const names = [name.value, NOWHERE];
  if (name.value === undefined || (names.includes(sides.old) && names.includes(sides.new))) {
    return read({ kind: 'written', ...sides });
  }
  const help = 'name the same, or begin the other file with a `diff --git` of its own';
  return at(start, 'names another file in `diff --git` than in `---` and `+++`', help);
}

/** Of an empty file that comes or goes git writes no hunk and no `---`, only its hash. */
function emptyFile(
  start: number,
  { gitLine, blobs: [was, becomes] = ['', ''] }: GitHeader,
): Reading<Names> {
  const comes = isNoBlob(was) && isEmptyBlob(becomes);
  const goes = isEmptyBlob(was) && isNoBlob(becomes);
  if (comes === goes) return noBeginning(start);
  const name = nameInGitLine(gitLine);
  if (name.kind === 'unreadable') return at(start, name.reason, name.help);
  if (name.value === undefined) return noBeginning(start);
  const [old, after] = comes ? [NOWHERE, name.value] : [name.value, NOWHERE];
  return read({ kind: 'empty', old, new: after });
}

function noBeginning(start: number): Unreadable {
  return at(start, 'has no `---` where a file has to begin', FORMAT);
}

interface Parts extends Names {
  readonly start: number;
  readonly hunks: Hunks;
}

function join({ kind, start, old, new: after, hunks }: Parts): Reading<FilePatch> {
  if (kind === 'renamed') {
    const from = readName(start, old);
    if (from.kind === 'unreadable') return from;
    return withPath(start, after, (path) => ({ kind: 'rename', from: from.value, path, hunks }));
  }
  if (old === NOWHERE && after === NOWHERE) return at(start, 'names no file', FORMAT);
  if (hunks.length === 0 && kind === 'written') return at(start, 'has no hunk', FORMAT);
  if (old === NOWHERE) return withPath(start, after, (path) => ({ kind: 'create', path, hunks }));
  if (after === NOWHERE) return withPath(start, old, (path) => ({ kind: 'delete', path, hunks }));
  if (old === after) return withPath(start, old, (path) => ({ kind: 'change', path, hunks }));
  const help = 'write `rename from` and `rename to` before them if that is meant';
  return at(start, 'has two names after `---` and `+++`', help);
}

function withPath(
  start: number,
  written: string,
  make: (path: string) => FilePatch,
): Reading<FilePatch> {
  const path = readName(start, written);
  return path.kind === 'unreadable' ? path : read(make(path.value));
}

/** In one spelling already: a patch is text, and is not rewritten to what it should have said. */
function readName(start: number, written: string): Reading<string> {
  if (written.startsWith('/')) {
    return at(start, `has an absolute path: ${quote(written)}`, 'write it from the workspace');
  }
  const path = readFilePath(written);
  if (path.kind === 'unreadable') return at(start, `has a path that ${path.reason}`, path.help);
  if (path.value === written) return path;
  return at(start, `spells a path as ${quote(written)}`, `write \`${path.value}\``);
}

function at(line: number, why: string, help: string): Unreadable {
  return unreadable(`${why}, at line ${line} of the patch`, help);
}
