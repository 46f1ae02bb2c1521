import { type Stats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { visibleText } from '@palyra/kernel';
import { type FileKind, type FileOrigin, describeOrigin } from './origin.ts';
import type { ConfigProblem } from './problem.ts';
import { MAX_FILE_BYTES } from './toml-file.ts';

export type FileReading =
  | { readonly kind: 'missing' }
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly problem: ConfigProblem };

/**
 * Opens first and then judges what was opened, so that nothing can be swapped in between.
 * Contract: never throws; a file that others could have written, or can read, is `refused`.
 */
export function readSafeFile(origin: FileOrigin): FileReading {
  if (origin.kind !== 'workspace') {
    const directory = inspect(dirname(origin.file), DIRECTORY_FLAGS);
    if (directory.kind === 'missing') return directory;
    if (directory.kind === 'failed') return refuse(unreadable(origin, directory.code));
    const danger = dangerOfDirectory(origin.kind, directory.stats);
    if (danger !== undefined) return refuse(unsafe(origin, dirname(origin.file), danger));
  }
  return readOpened(origin);
}

/** What is wrong with a directory of ours; `undefined` when it is safe. */
export function inspectOwnDirectory(path: string): ConfigProblem | undefined {
  const origin: FileOrigin = { kind: 'user', file: path };
  const directory = inspect(path, DIRECTORY_FLAGS);
  if (directory.kind === 'missing') return unreadable(origin, 'ENOENT');
  if (directory.kind === 'failed') return unreadable(origin, directory.code);
  const danger = dangerOfDirectory('user', directory.stats);
  return danger === undefined ? undefined : unsafe(origin, path, danger);
}

/**
 * What is wrong with a directory that holds ours: whoever can write there can put another in its
 * place. Contract: `undefined` when it is safe, and when it is missing, because then ours are too.
 */
export function inspectParent(path: string): ConfigProblem | undefined {
  const origin: FileOrigin = { kind: 'named', file: path };
  const directory = inspect(path, DIRECTORY_FLAGS);
  if (directory.kind === 'missing') return undefined;
  if (directory.kind === 'failed') return unreadable({ ...origin, kind: 'user' }, directory.code);
  const danger = dangerOfDirectory('named', directory.stats);
  return danger === undefined ? undefined : unsafe(origin, path, danger);
}

export function unreadable(origin: FileOrigin, reason: string): ConfigProblem {
  return {
    code: 'CONFIG_INVALID',
    origin,
    message: `${describeOrigin(origin)} cannot be used: ${reason}`,
    help:
      origin.kind === 'named'
        ? 'correct `PALYRA_CONFIG`, or mend the file that it names'
        : 'put a plain file there that the user that runs Palyra may read, or move it away',
  };
}

/** Why a path is not safe, and the mode that would make it so. */
export interface Danger {
  readonly reason: string;
  /** Absent when a mode cannot help: somebody else owns it. */
  readonly mode?: '600' | '644' | '700' | '755';
}

type Owned = Pick<Stats, 'uid' | 'mode'>;

const ROOT = 0;
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

export function dangerOfFile(kind: FileKind, stats: Owned, me = myUid()): Danger | undefined {
  switch (kind) {
    // Not trusted whoever wrote it: a workspace can only narrow.
    case 'workspace':
      return undefined;
    case 'system':
      return strangerOwns(stats, [ROOT]) ?? openTo(stats, OTHERS_WRITE, '644');
    case 'user':
      return strangerOwns(stats, [me, ROOT]) ?? openTo(stats, OTHERS, '600');
    case 'named':
      if (stats.uid !== me && stats.uid === ROOT) return openTo(stats, OTHERS_WRITE, '644');
      return strangerOwns(stats, [me]) ?? openTo(stats, OTHERS, '600');
  }
}

export function dangerOfDirectory(kind: FileKind, stats: Owned, me = myUid()): Danger | undefined {
  switch (kind) {
    case 'workspace':
      return undefined;
    case 'system':
      return strangerOwns(stats, [ROOT]) ?? openTo(stats, OTHERS_WRITE, '755');
    case 'user':
      return strangerOwns(stats, [me]) ?? openTo(stats, OTHERS, '700');
    case 'named':
      // In a sticky directory others may add files, and cannot replace ours.
      if ((stats.mode & STICKY) !== 0) return strangerOwns(stats, [me, ROOT]);
      return strangerOwns(stats, [me, ROOT]) ?? openTo(stats, OTHERS_WRITE, '755');
  }
}

function strangerOwns({ uid }: Owned, trusted: readonly number[]): Danger | undefined {
  return trusted.includes(uid) ? undefined : { reason: `belongs to another user (uid ${uid})` };
}

function openTo(
  { mode }: Owned,
  forbidden: number,
  fix: Danger['mode'] & string,
): Danger | undefined {
  if ((mode & forbidden) === 0) return undefined;
  const octal = (mode & 0o7777).toString(8).padStart(4, '0');
  const verb = forbidden === OTHERS ? 'open to' : 'writable by';
  return { reason: `is ${verb} other users (mode ${octal})`, mode: fix };
}

function unsafe(origin: FileOrigin, path: string, { reason, mode }: Danger): ConfigProblem {
  const target = quote(path);
  return {
    code: 'HOME_UNSAFE',
    origin,
    message: `${visibleText(path, 'one-line')} ${reason}`,
    help:
      mode === undefined
        ? `make it belong to you with \`chown "$(id -un)" ${target}\`, or move it away`
        : `run \`chmod ${mode} ${target}\``,
  };
}

function readOpened(origin: FileOrigin): FileReading {
  const opened = open(origin.file, fileFlags(origin.kind));
  if (opened.kind === 'missing') return opened;
  if (opened.kind === 'failed') return refuse(unreadable(origin, opened.code));
  try {
    const stats = fstatSync(opened.fd);
    if (!stats.isFile()) return refuse(unreadable(origin, 'not a regular file'));
    const danger = dangerOfFile(origin.kind, stats);
    if (danger !== undefined) return refuse(unsafe(origin, origin.file, danger));
    if (stats.size > MAX_FILE_BYTES) {
      return refuse(unreadable(origin, `over ${MAX_FILE_BYTES} bytes`));
    }
    const bytes = readBounded(opened.fd, stats.size);
    if (bytes === undefined) return refuse(unreadable(origin, 'it changed while it was read'));
    return { kind: 'read', bytes };
  } catch (error) {
    return refuse(unreadable(origin, codeOf(error)));
  } finally {
    closeSync(opened.fd);
  }
}

/** Contract: `undefined` when there is more than was told; nothing beyond that is read. */
function readBounded(fd: number, size: number): Uint8Array | undefined {
  const buffer = Buffer.alloc(size + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(fd, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
  return undefined;
}

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const DIRECTORY_FLAGS = O_RDONLY | O_DIRECTORY;

/** A pipe in the place of the file must not hold the start. Links: only root can make those in /etc. */
function fileFlags(kind: FileKind): number {
  return O_RDONLY | O_NONBLOCK | (kind === 'system' ? 0 : O_NOFOLLOW);
}

type Opened =
  | { readonly kind: 'opened'; readonly fd: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly code: string };

function open(path: string, flags: number): Opened {
  try {
    return { kind: 'opened', fd: openSync(path, flags) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return { kind: 'missing' };
    return { kind: 'failed', code: code === 'ELOOP' ? 'it is a symbolic link' : code };
  }
}

function inspect(
  path: string,
  flags: number,
): { readonly kind: 'inspected'; readonly stats: Stats } | Exclude<Opened, { kind: 'opened' }> {
  const opened = open(path, flags);
  if (opened.kind !== 'opened') return opened;
  try {
    return { kind: 'inspected', stats: fstatSync(opened.fd) };
  } finally {
    closeSync(opened.fd);
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}

function refuse(problem: ConfigProblem): FileReading {
  return { kind: 'refused', problem };
}

/** Where there are no user ids nobody is trusted. */
function myUid(): number {
  return process.geteuid?.() ?? -1;
}

function quote(path: string): string {
  if (/^[\w@%+=:,./-]+$/.test(path)) return path;
  return `'${visibleText(path, 'one-line').replaceAll("'", String.raw`'\''`)}'`;
}
