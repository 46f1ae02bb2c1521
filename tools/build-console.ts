import {
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type InlineConfig, build } from 'vite';
import { FIRST_PARTS, firstParts } from './console-build/first-parts.ts';
import { numbersApart } from './console-build/numbers-apart.ts';
import { ROOT } from './run.ts';

const DIST = join(ROOT, 'dist');
/** What a browser loads first; as old as the build. */
export const CONSOLE_START = join(DIST, 'console/index.html');

/** What is not text is compressed already. */
const COMPRESSED = /\.(?:css|html|js|svg)$/;

/**
 * Builds the console into a folder beside its place and moves it there whole: a daemon may be serving
 * the old one, and pages may be open.
 */
export async function buildConsole(dist = DIST): Promise<void> {
  const next = join(dist, `console.${process.pid}`);
  const place = join(dist, 'console');
  await build(into(next));
  const texts = filesIn(next).filter((name) => COMPRESSED.test(name));
  texts.forEach((name) => compress(join(next, name)));
  keepRecent(join(place, 'assets'), join(next, 'assets'));
  replaceFolder(place, next);
}

/** Browsers get one build, made for those of the last two years. */
function into(outDir: string): InlineConfig {
  return {
    configFile: false,
    logLevel: 'error',
    root: join(ROOT, 'apps/console'),
    plugins: [react(), tailwind(), numbersApart(), firstParts()],
    resolve: { conditions: ['browser', 'module', 'import', 'default'] },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2024',
      // The policy of the page allows no `data:` addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { output: FIRST_PARTS },
    },
  };
}

/** For how long a page that was opened before can go on with the parts that it knows. */
const KEPT_MS = 3_600_000;
/** Of two builds; whoever builds more often in that time does not keep pages open for long. */
const MOST_KEPT = 250;

function keepRecent(from: string, to: string): void {
  const now = statSync(to).mtimeMs;
  const old = (existsSync(from) ? readdirSync(from) : [])
    .filter((name) => !existsSync(join(to, name)))
    .map((name) => ({ name, mtimeMs: statSync(join(from, name)).mtimeMs }))
    .filter(({ mtimeMs }) => now - mtimeMs < KEPT_MS)
    .toSorted((one, other) => other.mtimeMs - one.mtimeMs);
  for (const { name, mtimeMs } of old.slice(0, MOST_KEPT)) {
    copyFileSync(join(from, name), join(to, name));
    utimesSync(join(to, name), mtimeMs / 1_000, mtimeMs / 1_000);
  }
}

function replaceFolder(place: string, next: string): void {
  const old = `${place}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(place)) renameSync(place, old);
  renameSync(next, place);
  rmSync(old, { recursive: true, force: true });
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function compress(path: string): void {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path), { params }));
}

if (import.meta.main) await buildConsole();
