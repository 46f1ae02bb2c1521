import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { PalyraError } from '@palyra/kernel';

const OTHERS = 0o077;

/** Contract: afterwards the directory exists, is ours, and nobody else may enter it. */
export function makePrivateDirectory(path: string): void {
  guarded(path, () => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const handle = openNoFollow(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      checkOwner(path, fstatSync(handle));
    } finally {
      closeSync(handle);
    }
  });
}

/** Contract: `undefined` when there is none; what was read is a plain file that only we may use. */
export function readPrivateFile(path: string, limitBytes: number): string | undefined {
  return guarded(path, () => {
    const handle = openExisting(path);
    if (handle === undefined) return undefined;
    try {
      return readWhole(path, handle, limitBytes);
    } finally {
      closeSync(handle);
    }
  });
}

/** Contract: never replaces: of two who add the same file at once, both find the same one after. */
export function addPrivateFile(path: string, text: string): void {
  guarded(path, () => {
    const draft = writeDraft(path, text);
    try {
      linkSync(draft, path);
      syncDirectory(path);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  });
}

/** Contract: the file is the old one or the new one, whole and durable. */
export function replacePrivateFile(path: string, text: string): void {
  guarded(path, () => {
    const draft = writeDraft(path, text);
    try {
      renameSync(draft, path);
      syncDirectory(path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  });
}

/** May be called for a file that is gone already. */
export function removePrivateFile(path: string): void {
  guarded(path, () => {
    rmSync(path, { force: true });
  });
}

function writeDraft(path: string, text: string): string {
  const draft = `${dirname(path)}/.${basename(path)}.${randomUUID()}`;
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

function syncDirectory(path: string): void {
  const handle = openNoFollow(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function openExisting(path: string): number | undefined {
  try {
    // Without O_NONBLOCK a pipe in its place would hold the daemon until somebody writes to it.
    return openNoFollow(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function openNoFollow(path: string, flags: number): number {
  try {
    return openSync(path, flags | constants.O_NOFOLLOW);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ELOOP' || code === 'ENOTDIR') throw unsafe(path, 'is a link or not a directory');
    throw error;
  }
}

function readWhole(path: string, handle: number, limitBytes: number): string {
  const stats = fstatSync(handle);
  if (!stats.isFile()) throw unsafe(path, 'is not a plain file');
  checkOwner(path, stats);
  if (stats.size > limitBytes) {
    throw new PalyraError('AUTHORITY_UNUSABLE', `\`${path}\` is longer than any key`);
  }
  const bytes = Buffer.alloc(stats.size);
  const length = readSync(handle, bytes, 0, stats.size, 0);
  const text = bytes.toString('latin1', 0, length);
  bytes.fill(0);
  return text;
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
    help: 'move it away; if it held a key of this gateway, put back the one of a backup',
  });
}

function guarded<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof PalyraError) throw error;
    const code = systemCode(error) ?? 'unknown';
    throw new PalyraError('AUTHORITY_UNUSABLE', `\`${path}\` cannot be used: ${code}`, {
      cause: error,
      help: 'see to it that the user of the daemon may read and write it, and that the disk has room',
    });
  }
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
