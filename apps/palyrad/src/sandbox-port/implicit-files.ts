import { basename, join } from 'node:path';

/** What programs read although nobody names it. */
interface Reader {
  readonly program: RegExp;
  /** Where it is started. */
  readonly here: readonly string[];
  /** In a folder that stands among its arguments. */
  readonly inFolder: readonly string[];
}

/** Aliases in it are commands. */
const GIT_CONFIG = ['.git/config', '.git/config.worktree'];

const READERS: readonly Reader[] = [
  { program: /^git$/, here: GIT_CONFIG, inFolder: GIT_CONFIG },
  { program: /^g?make$/, here: ['GNUmakefile', 'makefile', 'Makefile'], inFolder: [] },
  { program: /^(?:npm|npx|yarn|pnpm)$/, here: ['package.json'], inFolder: ['package.json'] },
  { program: /^just$/, here: ['justfile', 'Justfile', '.justfile'], inFolder: [] },
  { program: /^cargo$/, here: ['Cargo.toml', 'build.rs'], inFolder: [] },
  { program: /^python[\d.]*$/, here: [], inFolder: ['__main__.py'] },
  { program: /^node$/, here: [], inFolder: ['package.json', 'index.js'] },
];

/**
 * Names of files, there or not, that a command of these words may read. A program counts wherever it
 * stands: `env make` and `timeout 5 make` start one, too.
 */
export function implicitFiles(words: readonly string[]): readonly string[] {
  const programs = new Set(words.map((word) => basename(word)));
  return READERS.filter(({ program }) =>
    programs.values().some((name) => program.test(name)),
  ).flatMap(({ here, inFolder }) => [
    ...here,
    ...inFolder.flatMap((name) => words.map((word) => join(word, name))),
  ]);
}
