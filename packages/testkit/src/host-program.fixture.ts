import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { buildSync } from 'esbuild';

const ROOT = join(import.meta.dirname, '../../..');
const KEPT = join(ROOT, 'node_modules/.cache/fixtures');

/**
 * A program of a test in one file, which starts in a third of the time: tests start hundreds of them.
 * Made anew by each process that tests. Contract: gives the file's path; other processes may be
 * starting or making the same one.
 */
export function hostProgram(source: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
    platform: 'node',
    target: 'node26',
    write: false,
  });
  const path = join(KEPT, relative(ROOT, dirname(source)), `${basename(source, '.ts')}.mjs`);
  const next = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  for (const { contents } of outputFiles) writeFileSync(next, contents);
  renameSync(next, path);
  return path;
}
