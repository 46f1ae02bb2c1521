import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildConsole } from '../../../tools/build-console.ts';
import { ROOT } from '../harness.ts';

const MADE_FROM = [
  'apps/console',
  'packages/ui',
  'packages/client',
  'packages/kernel',
  'packages/protocol',
];
const DIST = join(ROOT, 'dist');
const LOCK = join(DIST, 'console.lock');

/** `npm test` has built the console before; whoever runs one file alone gets it built when it is old. */
export async function currentBuild(): Promise<void> {
  mkdirSync(DIST, { recursive: true });
  while (!isCurrent()) {
    if (!takeLock()) {
      await sleep(100);
      continue;
    }
    try {
      await buildConsole(DIST);
    } finally {
      rmSync(LOCK, { recursive: true, force: true });
    }
  }
}

function takeLock(): boolean {
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    // Somebody else builds it, or did and was killed: then the lock is old.
    if (ageMs(LOCK) > 60_000) rmSync(LOCK, { recursive: true, force: true });
    return false;
  }
}

function isCurrent(): boolean {
  const built = timeOf(join(DIST, 'console/index.html'));
  return MADE_FROM.every((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.ts$|\.md$/.test(entry.name))
      .every((entry) => timeOf(join(entry.parentPath, entry.name)) <= built),
  );
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function ageMs(path: string): number {
  return new Date().getTime() - timeOf(path);
}
