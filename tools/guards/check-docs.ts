import { posix } from 'node:path';
import type { Finding, Tree } from '../tree.ts';
import { workspacesIn } from '../workspaces.ts';

const README_MAX_LINES = 60;
const README_HEADINGS = ['Owns', 'Does not own', 'Start reading at', 'Invariants'];
const PAGE =
  /^(?:[^/]+\.md|docs\/.+\.md|(?:packages|apps)\/[^/]+\/README\.md|(?:tools|tests|bench)\/README\.md)$/;
const LISTED_PAGE = /^docs\/(?:decisions|guides|reference)\/[^/]+\.md$/;
const CHECKED = /\.(?:ts|tsx|cjs|md|json|proto|toml|cedar|yaml|sh|svg|txt)$/;
const LINK = /\]\(([^)\s]+)\)/g;
const INLINE_CODE = /`([^`\n]+)`/g;
const FENCE = /^ *```[^\n]*\n([\s\S]*?)^ *```/gm;
const ROOTED = /(?<![\w./-])(?:packages|apps|tests|tools|docs|bench|examples)\/[\w./-]+/g;
const LINE_NUMBER = /\.(?:ts|tsx|md|proto|json):\d+|#L\d+|\blines? \d+/;
// `service` is for what a proto calls a service, and those live in connect/.
const BANNED_NAME =
  /(?:^|-)(?:utils?|helpers?|common|managers?|data|info|impl|misc|v\d+)(?:-|\.|$)|^new-/;
const BANNED_SERVICE = /(?:^|-)services?(?:-|\.)/;

/** What the documents say about the tree is true, and names follow the house style. */
export function checkDocs(tree: Tree): readonly Finding[] {
  return [
    ...workspacesIn(tree).flatMap(({ folder }) => checkReadme(tree, folder)),
    ...tree.paths.filter((path) => PAGE.test(path)).flatMap((path) => checkPage(tree, path)),
    ...checkList(tree),
    ...tree.paths.filter(hasBannedName).map((path) => ({
      path,
      says: 'is named with a word that says nothing; name the one idea in it',
    })),
  ];
}

function checkReadme(tree: Tree, folder: string): Finding[] {
  const path = `${folder}/README.md`;
  if (!tree.paths.includes(path)) return [{ path, says: 'is missing' }];
  const lines = tree.read(path).trimEnd().split('\n');
  const missing = README_HEADINGS.filter((heading) => !lines.includes(`## ${heading}`));
  return [
    ...missing.map((heading) => ({ path, says: `has no heading \`## ${heading}\`` })),
    ...(lines.length > README_MAX_LINES
      ? [{ path, says: `${lines.length} lines; the most is ${README_MAX_LINES}` }]
      : []),
    ...(lines[0]?.startsWith('# ') === true
      ? []
      : [{ path, says: 'does not start with its name' }]),
  ];
}

function checkPage(tree: Tree, path: string): Finding[] {
  const text = tree.read(path);
  const prose = text.replaceAll(FENCE, '');
  const gone = [
    ...linksIn(prose).filter((target) => !exists(tree, [posix.join(posix.dirname(path), target)])),
    ...namesIn(prose).filter((name) => !exists(tree, placesOf(path, name))),
    ...rootedIn(text).filter((name) => !exists(tree, [name])),
  ];
  return [
    ...[...new Set(gone)].map((name) => ({
      path,
      says: `names \`${name}\`, which does not exist`,
    })),
    ...(LINE_NUMBER.test(text)
      ? [{ path, says: `cites a line number: ${LINE_NUMBER.exec(text)?.[0] ?? ''}` }]
      : []),
  ];
}

/** Who looks for a page begins with the list of them. */
function checkList(tree: Tree): Finding[] {
  const path = 'docs/README.md';
  if (!tree.paths.includes(path)) return [];
  const listed = new Set(linksIn(tree.read(path)).map((target) => posix.join('docs', target)));
  return tree.paths
    .filter((page) => LISTED_PAGE.test(page) && !listed.has(page))
    .map((page) => ({ path, says: `leaves out \`${posix.relative('docs', page)}\`` }));
}

function linksIn(prose: string): string[] {
  return Array.from(prose.matchAll(LINK), ([, target = '']) => target.replace(/#.*$/, '')).filter(
    (target) => target !== '' && !/^[a-z]+:/.test(target),
  );
}

/** Names in backticks that can only be files of this tree: a slash, an ending that we know, not built. */
function namesIn(prose: string): string[] {
  return Array.from(prose.matchAll(INLINE_CODE), ([, code = '']) => code).filter(
    (code) =>
      /^[\w@.][\w@./-]*\/[\w@./-]+$/.test(code) && CHECKED.test(code) && !code.startsWith('dist/'),
  );
}

function rootedIn(text: string): string[] {
  return Array.from(text.matchAll(FENCE), ([, block = '']) => block).flatMap((block) =>
    Array.from(block.matchAll(ROOTED), ([name]) => name).filter((name) => CHECKED.test(name)),
  );
}

/** A page may name a file from the root, from its own folder or from its package's sources. */
function placesOf(page: string, name: string): string[] {
  const folder = posix.dirname(page);
  return [name, posix.join(folder, name), posix.join(folder, 'src', name)];
}

function exists(tree: Tree, candidates: readonly string[]): boolean {
  return candidates
    .map((candidate) => candidate.replace(/\/$/, ''))
    .some((candidate) =>
      tree.paths.some((path) => path === candidate || path.startsWith(`${candidate}/`)),
    );
}

function hasBannedName(path: string): boolean {
  if (!/\.tsx?$/.test(path) || path.includes('/gen/')) return false;
  const name = posix.basename(path);
  return BANNED_NAME.test(name) || (BANNED_SERVICE.test(name) && !path.includes('/connect/'));
}
