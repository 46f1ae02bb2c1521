import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  opendirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { folderNumbers } from './folder-numbers.ts';

/** What may still be read and looked at for one command: nobody else is served meanwhile. */
export interface Left {
  files: number;
  bytes: number;
  /** Names in folders. */
  names: number;
}

/** Something that a command names, bound by its place, mode and content or, failing that, by what the file system keeps of it. */
export interface Bound {
  readonly sha256: string;
  readonly facts: string;
  readonly notBound: string;
  readonly isFolder: boolean;
}

/** Contract: never throws; `undefined` for what is not there, or not in the workspace. Takes from `left`. */
export function bind(path: string, workspace: string, left: Left): Bound | undefined {
  const isNamedInside = isInside(path, workspace);
  try {
    const real = realpathSync(path);
    const stats = statSync(real, { bigint: true });
    if (isInside(real, workspace)) {
      const { facts, ...bound } = bindThere(real, stats, left);
      const where = relative(workspace, real);
      const place = `at ${where} mode ${stats.mode.toString(8)} in ${folderNumbers(workspace, dirname(where))}`;
      return { ...bound, facts: `${place} ${facts}`.trimEnd() };
    }
    return isNamedInside ? notBound('it leads out of the workspace', stats) : undefined;
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && ABSENT.has(error.code);
    return isAbsent || !isNamedInside ? undefined : notBound('it cannot be looked at');
  }
}

function bindThere(real: string, stats: BigIntStats, left: Left): Bound {
  if (stats.isDirectory()) return bindFolder(real, stats, left);
  if (!stats.isFile()) return notBound('it is neither a file nor a folder', stats);
  return bindFile(real, stats, left);
}

const CHUNK_BYTES = 65_536;
/** No command finds anything there either. */
const ABSENT: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ENAMETOOLONG',
  'ELOOP',
  'ERR_INVALID_ARG_VALUE',
]);

function isInside(path: string, workspace: string): boolean {
  return path === workspace || path.startsWith(join(workspace, sep));
}

function notBound(why: string, stats?: BigIntStats): Bound {
  const isFolder = stats?.isDirectory() ?? false;
  return { sha256: '', facts: stats === undefined ? '' : factsOf(stats), notBound: why, isFolder };
}

function factsOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `size ${size} mtime ${mtimeNs} ctime ${ctimeNs} inode ${ino}`;
}

function bindFile(real: string, stats: BigIntStats, left: Left): Bound {
  if (left.files === 0) return notBound('too many files are named', stats);
  if (stats.size > left.bytes) return notBound('it is too large to be read', stats);
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const isSame = fstatSync(descriptor, { bigint: true }).ino === stats.ino;
    const sha256 = isSame ? hashOf(descriptor, left) : undefined;
    if (sha256 === undefined) return notBound('it changes while it is read', stats);
    left.files -= 1;
    return { sha256, facts: '', notBound: '', isFolder: false };
  } catch {
    return notBound('it cannot be read', stats);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Contract: `undefined` for one that became longer than may be read. */
function hashOf(descriptor: number, left: Left): string | undefined {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (;;) {
    const length = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
    if (length === 0) return hash.digest('hex');
    if (length > left.bytes) return undefined;
    left.bytes -= length;
    hash.update(chunk.subarray(0, length));
  }
}

function bindFolder(real: string, stats: BigIntStats, left: Left): Bound {
  try {
    const facts = factsBelow(real, left);
    if (facts === undefined) return notBound('there are too many names in it', stats);
    const hash = createHash('sha256').update(JSON.stringify(facts.toSorted()));
    const all = `all in it ${hash.digest('hex')}`;
    return { sha256: '', facts: all, notBound: '', isFolder: true };
  } catch {
    return notBound('not all in it can be looked at', stats);
  }
}

/** Of everything below, through no link. Contract: `undefined` when that is more than may be looked at. */
function factsBelow(top: string, left: Left): readonly string[] | undefined {
  const facts: string[] = [];
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    using listing = opendirSync(folder);
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
      if (left.names === 0) return undefined;
      left.names -= 1;
      const path = join(folder, entry.name);
      const stats = lstatSync(path, { bigint: true });
      const isFolder = stats.isDirectory();
      if (isFolder) folders.push(path);
      // A folder is what is in it: its own times also tell of what came and went.
      facts.push(`${path} ${isFolder ? `folder ${stats.ino} ${stats.mode}` : factsOf(stats)}`);
    }
  }
  return facts;
}
