import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { folderNumbers } from './folder-numbers.ts';
import { foundBelow, foundIn, somebodys } from './found.ts';
import type { Found, Overlooked } from './overlooked.ts';

/** What may still be read and looked at for one command: nobody else is served meanwhile. */
export interface Left {
  files: number;
  bytes: number;
  /** Names in folders. */
  names: number;
  /** The same right in folders of which not all can be looked at. */
  direct: number;
}

export interface Binding {
  readonly workspace: string;
  readonly left: Left;
  readonly overlooked: Overlooked;
}

/** Something that a command names, bound by its place, mode and content or, failing that, by what the file system keeps of it. */
export interface Bound {
  readonly sha256: string;
  readonly facts: string;
  readonly notBound: string;
  readonly isFolder: boolean;
}

/** Contract: never throws; `undefined` for what is not there but for masks, or not in the workspace. Takes from `left`. */
export function bind(path: string, binding: Binding): Bound | undefined {
  const { workspace, overlooked } = binding;
  const isNamedInside = isInside(path, workspace);
  try {
    const real = realpathSync(path);
    const stats = statSync(real, { bigint: true });
    if (isInside(real, workspace)) {
      if (somebodys([{ path: real, stats }], overlooked).length === 0) return undefined;
      const { facts, ...bound } = bindThere(real, stats, binding);
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

function bindThere(real: string, stats: BigIntStats, binding: Binding): Bound {
  if (stats.isDirectory()) return bindFolder(real, stats, binding);
  if (!stats.isFile()) return notBound('it is neither a file nor a folder', stats);
  return bindFile(real, stats, binding.left);
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

function bindFolder(real: string, stats: BigIntStats, binding: Binding): Bound {
  try {
    const facts = factsBelow(real, binding);
    if (facts !== undefined) return { sha256: '', facts, notBound: '', isFolder: true };
    return notAllBound('there are too many names in it', { path: real, stats }, binding);
  } catch {
    // However far it came, so that the same is bound the next time.
    binding.left.names = Math.floor(binding.left.names / 2);
    return notAllBound('not all in it can be looked at', { path: real, stats }, binding);
  }
}

/** By what is right in it: the times of the folder itself also tell of what masks lay on. */
function notAllBound(why: string, { path, stats }: Found, binding: Binding): Bound {
  const bound = notBound(why, stats);
  try {
    const facts = factsIn(path, binding);
    return facts === undefined ? bound : { ...bound, facts: `inode ${stats.ino} ${facts}` };
  } catch {
    return bound;
  }
}

/** Contract: `undefined` when it is more than may be looked at; throws as the file system does. */
function factsBelow(top: string, { left, overlooked }: Binding): string | undefined {
  const found = somebodys(foundBelow(top, left.names), overlooked);
  const isTooMuch = found.length > left.names;
  left.names = isTooMuch ? 0 : left.names - found.length;
  return isTooMuch ? undefined : `all in it ${hashOfFacts(found)}`;
}

/** Contract: as `factsBelow`. */
function factsIn(folder: string, { left, overlooked }: Binding): string | undefined {
  const found = somebodys(foundIn(folder, left.direct), overlooked);
  const isTooMuch = found.length > left.direct;
  left.direct = isTooMuch ? 0 : left.direct - found.length;
  return isTooMuch ? undefined : `right in it ${hashOfFacts(found)}`;
}

function hashOfFacts(found: readonly Found[]): string {
  const facts = found.map(({ path, stats }) => {
    // A folder is what is in it: its own times also tell of what came and went.
    return `${path} ${stats.isDirectory() ? `folder ${stats.ino} ${stats.mode}` : factsOf(stats)}`;
  });
  return createHash('sha256').update(JSON.stringify(facts.toSorted())).digest('hex');
}
