import { importsOf } from '../source/imports.ts';
import { type Scan, scan } from '../source/scan.ts';
import type { Finding, Tree } from '../tree.ts';
import { isTest, sourcesIn } from '../workspaces.ts';

/** Something of the machine or the process that only a few files may touch. */
export interface Global {
  readonly name: string;
  readonly pattern: RegExp;
  /** The only files that may; each must still do so. */
  readonly allowedIn: readonly string[];
}

export const GLOBALS: readonly Global[] = [
  {
    name: 'process.env',
    pattern: /\bprocess\s*\.\s*env\b|\benv\b[^;]*\}\s*=\s*process\b/,
    allowedIn: ['apps/palyra-cli/src/command-line.ts', 'apps/palyrad/src/main.ts', 'tools/run.ts'],
  },
  {
    name: 'the time',
    pattern: /\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|\bnew\s+Date\s*;|\bDate\s*\(\s*\)/,
    allowedIn: ['packages/kernel/src/clock.ts'],
  },
  { name: 'Math.random', pattern: /\bMath\s*\.\s*random\b/, allowedIn: [] },
  { name: 'console', pattern: /\bconsole\s*[.[]/, allowedIn: [] },
  { name: 'a module-level `let`', pattern: /^(?:export\s+)?(?:let|var)\s/m, allowedIn: [] },
];

const SUPPRESSION = /(?:oxlint|eslint)-disable|@ts-(?:ignore|expect-error|nocheck)|oxfmt-ignore/;

/** Environment, time, chance and output come from one place each, and no rule is switched off. */
export function checkGlobals(tree: Tree, globals: readonly Global[] = GLOBALS): readonly Finding[] {
  const shipped = sourcesIn(tree).filter((path) => !isTest(path));
  return [
    ...globals.flatMap((each) => checkGlobal(each, tree, shipped)),
    ...shipped
      .filter((path) => importsOf(tree.read(path)).includes('node:process'))
      .map((path) => ({
        path,
        says: 'use the global `process`, which this check can see, instead of importing it',
      })),
    ...sourcesIn(tree)
      .filter((path) => isSuppressing(scan(tree.read(path))))
      .map((path) => ({
        path,
        says: 'switches a rule off in a comment; change the code or the rule',
      })),
  ];
}

function checkGlobal({ name, pattern, allowedIn }: Global, tree: Tree, paths: readonly string[]) {
  const users = paths.filter((path) => pattern.test(scan(tree.read(path)).code));
  return [
    ...users
      .filter((path) => !allowedIn.includes(path))
      .map((path) => ({ path, says: `uses ${name}, which lives elsewhere` })),
    ...allowedIn
      .filter((path) => !users.includes(path))
      .map((path) => ({ path, says: `may use ${name} and does not; take the allowance away` })),
  ];
}

function isSuppressing({ comments }: Scan): boolean {
  return comments.some(({ text }) => SUPPRESSION.test(text));
}
