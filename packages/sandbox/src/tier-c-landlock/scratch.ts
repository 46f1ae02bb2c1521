import { execFile } from 'node:child_process';
import { type Dir, chownSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '../tier-c-bubblewrap/mapped-workspace.ts';

/** A folder for one command's temporary files, and its home in it. */
export interface Scratch {
  readonly path: string;
  /** Contract: after the last process has ended; tells whether nothing is left. */
  remove(): Promise<boolean>;
}

/** Contract: throws as the file system does. */
export function makeScratch(path: string, owner: Account | undefined): Scratch {
  for (const folder of [path, join(path, 'home')]) {
    mkdirSync(folder, { mode: 0o700 });
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  }
  return { path, remove: () => removeScratch(path, owner) };
}

/** By tools that follow no link and know no depth, with the rights of the account that filled it. */
export async function removeScratch(path: string, owner: Account | undefined): Promise<boolean> {
  if (removeEmpty(path)) return true;
  await run('/bin/chmod', ['-R', 'u+rwX', '--', path], owner);
  // The folder itself may lie in one where that account can remove nothing.
  await run('/bin/rm', ['-rf', '--', path], owner);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return true;
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function removeEmpty(path: string): boolean {
  try {
    rmdirSync(join(path, 'home'));
    rmdirSync(path);
    return true;
  } catch {
    // Something was put there, or it was taken away: both are seen to below.
    return false;
  }
}

async function run(file: string, words: readonly string[], owner: Account | undefined) {
  const options = { env: {}, ...owner };
  await new Promise<void>((resolve) => void execFile(file, words, options, () => resolve()));
}

const EVERY_MS = 250;
const REST_FACTOR = 10;
const MAX_NAMES = 100_000;
const BLOCK_BYTES = 512;

/** Contract: `onOver` is called at most once; `stop` ends it. */
export function watchSize(path: string, mostBytes: number, onOver: () => void): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async () => {
    const started = performance.now();
    const over = await isOver(path, mostBytes);
    if (isStopped) return;
    if (over) onOver();
    else next(Math.max(EVERY_MS, (performance.now() - started) * REST_FACTOR));
  };
  const next = (afterMs: number) => {
    timer = setTimeout(() => void look(), afterMs);
  };
  next(EVERY_MS);
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Contract: what cannot be measured, or holds too many names to be, is over. */
async function isOver(path: string, mostBytes: number): Promise<boolean> {
  let [bytes, names] = [0, 0];
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    try {
      for await (const entry of await openIt(folder)) {
        names += 1;
        if (names > MAX_NAMES) return true;
        const full = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(full);
        else bytes += (await lstat(full)).blocks * BLOCK_BYTES;
        if (bytes > mostBytes) return true;
      }
    } catch (error) {
      if (!isGone(error)) return true;
    }
  }
  return false;
}

async function openIt(folder: string): Promise<Dir> {
  return await opendir(folder);
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
