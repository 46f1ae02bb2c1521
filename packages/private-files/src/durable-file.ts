import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { openNoFollow } from './open-no-follow.ts';
import { systemCode } from './system-code.ts';

/** Contract: never replaces: of two who add the same file at once, both find the same one after. */
export function addPrivateFile(path: string, text: string): void {
  const draft = writeDraft(path, text);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  // Also when another came first: what we go on with must not be gone after a crash.
  syncPath(dirname(path));
}

/** Contract: the file is the old one or the new one, whole and durable. */
export function replacePrivateFile(path: string, text: string): void {
  const draft = writeDraft(path, text);
  try {
    renameDurably(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Contract: the file is the old one or the new one, whole, and after a power cut perhaps neither: for
 * what is written anew at every start, which a disk need not be waited for.
 */
export function replaceForNow(path: string, text: string): void {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Contract: the file is there whole and durable, or it is as it was before. */
export async function writeDurably(
  path: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const draft = draftOf(path);
  try {
    await using file = await open(draft, 'wx', 0o600);
    for await (const chunk of chunks) await file.writeFile(chunk);
    await file.sync();
    renameDurably(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Contract: gone for good. May be called for a file that is gone already. */
export function removePrivateFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  syncPath(dirname(path));
}

/** Contract: the caller has made durable what the file holds. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncPath(dirname(to));
}

/** Of a directory it makes the names durable, of a file what it holds. */
export function syncPath(path: string): void {
  const handle = openNoFollow(path);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function writeDraft(path: string, text: string): string {
  const draft = draftOf(path);
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
    return draft;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** In the same directory, since a name cannot move to another disk. */
function draftOf(path: string): string {
  return `${dirname(path)}/.${basename(path)}.${randomUUID()}`;
}
