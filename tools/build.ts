import './right-node.cjs';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import {
  ASSETS,
  PROGRAMS,
  type Program,
  HELPERS,
  type Helper,
  PARTS,
  type Part,
  bundle,
  bundleHelper,
  bundlePart,
} from './bundle.ts';
import { CONSOLE_START, buildConsole } from './build-console.ts';
import { launcherText } from './launcher.ts';
import { print } from './print.ts';
import { ROOT } from './run.ts';
import { recordStart } from './setup/record-start.ts';

const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, 'stamp');
/** As old as what the programs in dist/ were built of, at most. */
export const PROGRAMS_MARK = join(DIST, 'program', 'built');

/** `npm run build`: the programs as files that need no node_modules. */
export async function buildAll(): Promise<void> {
  // The stamp promises that everything else in dist/ is complete, so it goes first and comes last.
  rmSync(STAMP, { force: true });
  await Promise.all([buildPrograms(), buildConsole()]);
  await Promise.all(PROGRAMS.filter(({ start }) => start === 'recorded').map(record));
  writeFileSync(STAMP, MADE.map((file) => `${file}\n`).join(''));
}

/** What `./palyra` looks for in dist/ at every start, so that it builds again what somebody removed. */
const MADE: readonly string[] = [
  ...PROGRAMS.flatMap(({ name }) => [`${name}.cjs`, `program/${name}.cjs`]),
  ...HELPERS.map(({ name }) => `program/${name}.cjs`),
  ...PARTS.map(({ file }) => `program/${file}`),
  ...ASSETS.map((path) => `program/${basename(path)}`),
  relative(DIST, CONSOLE_START),
];

/** The programs alone, for whoever tests them: without the console, and without records of starts. */
export async function buildPrograms(): Promise<void> {
  mkdirSync(join(DIST, 'program'), { recursive: true });
  // Made first and put in place last: a source that changes meanwhile is newer.
  const mark = `${PROGRAMS_MARK}.${process.pid}`;
  writeFileSync(mark, '');
  await Promise.all([
    ...PROGRAMS.map(buildOne),
    ...HELPERS.map(buildHelper),
    ...PARTS.map(buildPart),
  ]);
  ASSETS.forEach(copyAsset);
  renameSync(mark, PROGRAMS_MARK);
}

async function buildOne(program: Program): Promise<void> {
  const { text } = await bundle(program);
  replaceFile(join(DIST, 'program', `${program.name}.cjs`), text);
  replaceFile(join(DIST, `${program.name}.cjs`), launcherText(program.name, program.start));
}

async function buildHelper(helper: Helper): Promise<void> {
  const { text } = await bundleHelper(helper);
  replaceFile(join(DIST, 'program', `${helper.name}.cjs`), text);
}

async function buildPart(part: Part): Promise<void> {
  const { text } = await bundlePart(part);
  replaceFile(join(DIST, 'program', part.file), text);
}

function copyAsset(path: string): void {
  replaceFile(join(DIST, 'program', basename(path)), readFileSync(join(ROOT, path)));
}

/** A program without its record works, only slower: a machine on which it cannot serve gets none. */
async function record({ name }: Program): Promise<void> {
  try {
    await recordStart(name, DIST);
  } catch (reason) {
    print(
      `${name} starts without a record: ${reason instanceof Error ? reason.message : String(reason)}`,
    );
  }
}

/** In one step: somebody may be starting the program right now, and somebody else building it. */
function replaceFile(path: string, content: string | Uint8Array): void {
  const next = `${path}.${process.pid}`;
  writeFileSync(next, content, { mode: 0o755 });
  renameSync(next, path);
}

if (import.meta.main) {
  try {
    await buildAll();
  } catch (reason) {
    // esbuild has put file, place and complaint into its message; the rest is about itself.
    print(reason instanceof Error ? reason.message : String(reason));
    process.exit(1);
  }
  print(`built ${PROGRAMS.map(({ name }) => `dist/${name}.cjs`).join(', ')} and the console`);
}
