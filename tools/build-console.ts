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
import { ROOT } from './run.ts';

/** What is not text is compressed already. */
const COMPRESSED = /\.(?:css|html|js|svg)$/;

/**
 * Builds the console into a folder beside its place and moves it there whole: a daemon may be serving
 * the old one, and pages may be open. Answers with what it is made of, for the stamp.
 */
export async function buildConsole(dist: string): Promise<string> {
  const next = join(dist, 'console.next');
  const place = join(dist, 'console');
  await build(into(next));
  const names = filesIn(next);
  names.filter((name) => COMPRESSED.test(name)).forEach((name) => compress(join(next, name)));
  keepRecent(join(place, 'assets'), join(next, 'assets'));
  replaceFolder(place, next);
  // The names of its parts hold hashes of their content.
  return names.toSorted().join('\n');
}

/** Browsers get one build, made for those of the last two years. */
function into(outDir: string): InlineConfig {
  return {
    configFile: false,
    logLevel: 'error',
    root: join(ROOT, 'apps/console'),
    plugins: [react(), tailwind()],
    resolve: { conditions: ['browser', 'module', 'import', 'default'] },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2024',
      // The policy of the page allows no `data:` addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  };
}

/** For how long a page that was opened before can go on with the parts that it knows. */
const KEPT_MS = 3_600_000;

function keepRecent(from: string, to: string): void {
  const now = statSync(to).mtimeMs;
  const names = existsSync(from) ? readdirSync(from) : [];
  for (const name of names) {
    const { atime, mtime } = statSync(join(from, name));
    if (now - mtime.getTime() > KEPT_MS || existsSync(join(to, name))) continue;
    copyFileSync(join(from, name), join(to, name));
    utimesSync(join(to, name), atime, mtime);
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
