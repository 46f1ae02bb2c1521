import { randomUUID } from 'node:crypto';
import { type Stats, constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PalyraError } from '@palyra/kernel';

const OTHERS = 0o077;

/** Contract: afterwards the directory exists, is ours, and nobody else may enter it. */
export async function makePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await using folder = await openNoFollow(path, constants.O_RDONLY | constants.O_DIRECTORY);
  checkOwner(path, await folder.stat());
}

/**
 * Contract: `undefined` when there is none. Throws HOME_UNSAFE unless it is a plain file, no longer
 * than the limit, that only we may use.
 */
export async function readPrivateFile(
  path: string,
  limitBytes: number,
): Promise<string | undefined> {
  const opened = await tryOpen(path);
  if (opened === undefined) return undefined;
  await using file = opened;
  const stats = await file.stat();
  if (!stats.isFile()) throw unsafe(path, 'is not a plain file');
  checkOwner(path, stats);
  const buffer = new Uint8Array(limitBytes + 1);
  let size = 0;
  for (let read = 1; read > 0 && size < buffer.length; size += read) {
    read = (await file.read(buffer, size)).bytesRead;
  }
  if (size > limitBytes) throw unsafe(path, `is longer than ${limitBytes} bytes`);
  return Buffer.from(buffer.subarray(0, size)).toString('utf8');
}

/** Contract: the file is there whole and durable, or it is as it was before. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await using file = await open(draft, 'wx', 0o600);
    await file.writeFile(text);
    await file.sync();
    await rename(draft, path);
  } catch (reason) {
    await rm(draft, { force: true });
    throw reason;
  }
  await using folder = await open(dirname(path), constants.O_RDONLY);
  await folder.sync();
}

async function tryOpen(path: string): Promise<FileHandle | undefined> {
  try {
    // Without NONBLOCK, opening a pipe that somebody put there would wait for ever.
    return await openNoFollow(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (reason) {
    if (codeOf(reason) === 'ENOENT') return undefined;
    throw reason;
  }
}

async function openNoFollow(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags | constants.O_NOFOLLOW);
  } catch (reason) {
    const code = codeOf(reason);
    if (code === 'ELOOP' || code === 'ENOTDIR') throw unsafe(path, 'is a link or not a directory');
    throw reason;
  }
}

function checkOwner(path: string, stats: Stats): void {
  if (stats.uid !== process.getuid?.()) throw unsafe(path, 'belongs to another user');
  if ((stats.mode & OTHERS) === 0) return;
  const mode = stats.isDirectory() ? '700' : '600';
  throw new PalyraError('HOME_UNSAFE', `\`${path}\` is open to other users`, {
    help: `take their rights away with \`chmod ${mode} '${path}'\``,
  });
}

function unsafe(path: string, what: string): PalyraError {
  return new PalyraError('HOME_UNSAFE', `\`${path}\` ${what}`, {
    help: 'move it away and let Palyra make its own',
  });
}

function codeOf(reason: unknown): unknown {
  return reason instanceof Error && 'code' in reason ? reason.code : undefined;
}
