import {
  closeSync,
  constants,
  ftruncateSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openWorkspace } from '../workspace.ts';
import { type MountPoint, findMountPoints, keyOf } from './mount-point.ts';

/** What of ours stands in one workspace, as it is kept for after a sudden end. */
export interface Page {
  readonly workspace: string;
  readonly points: readonly MountPoint[];
  /** What was about to be made when this was written. */
  readonly intended: Intention;
}

export interface Intention {
  readonly sinceMs: number;
  readonly points: readonly Pick<MountPoint, 'path' | 'kind'>[];
}

export const NO_INTENTION: Intention = { sinceMs: 0, points: [] };

const KIND = z.enum(['file', 'folder']);

const PAGE = z.strictObject({
  workspace: z.string(),
  points: z.array(
    z.strictObject({
      path: z.string(),
      kind: KIND,
      device: z.number(),
      inode: z.number(),
      // Pages of earlier versions have none: such a mount point is taken away like any other.
      changedMs: z.number().default(0),
    }),
  ),
  intended: z.strictObject({
    sinceMs: z.number(),
    points: z.array(z.strictObject({ path: z.string(), kind: KIND })),
  }),
});

/**
 * One page for each workspace, by its device and inode. A page that is not needed any more is the draft of the next:
 * to make a file takes a file system far longer than to write one. Contract: `folder` exists and is ours alone. When
 * disposed of, only the pages are left.
 */
export class Ledger implements Disposable {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  write(key: string, page: Page): void {
    writeDraft(this.#draft, Buffer.from(JSON.stringify(page)));
    renameSync(this.#draft, this.#at(key));
  }

  erase(key: string): void {
    try {
      renameSync(this.#at(key), this.#draft);
    } catch {
      // There is none, or it cannot be kept.
      rmSync(this.#at(key), { force: true });
    }
  }

  /** What an earlier process left. */
  read(): ReadonlyMap<string, Page> {
    const pages = new Map<string, Page>();
    for (const name of readdirSync(this.#folder)) {
      if (name.endsWith(DRAFT)) {
        rmSync(join(this.#folder, name), { force: true });
        continue;
      }
      const key = name.slice(0, -SUFFIX.length);
      const parsed = PAGE.safeParse(jsonOf(readFileSync(join(this.#folder, name), 'utf8')));
      if (parsed.success) pages.set(key, parsed.data);
      else this.erase(key);
    }
    return pages;
  }

  [Symbol.dispose](): void {
    rmSync(this.#draft, { force: true });
  }

  get #draft(): string {
    return join(this.#folder, `page${SUFFIX}${DRAFT}`);
  }

  #at(key: string): string {
    return join(this.#folder, `${key}${SUFFIX}`);
  }
}

const REWRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;

/** Over what it holds, and shortened behind that: emptied first, its old bytes would be written to the disk at once. */
function writeDraft(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, REWRITE, 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at, undefined, at);
    ftruncateSync(descriptor, bytes.length);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * What stands in workspaces now, by the ledger of a process that may be at work on it: what it is about to make
 * may stand there already. Contract: changes nothing; what cannot be read is left out.
 */
export function notedPoints(folder: string): readonly MountPoint[] {
  const pages = namesIn(folder).filter((name) => name.endsWith(SUFFIX));
  return pages.flatMap((name) => {
    const parsed = PAGE.safeParse(jsonAt(join(folder, name)));
    if (!parsed.success) return [];
    const { workspace, points, intended } = parsed.data;
    return [...points, ...intendedPoints(workspace, name.slice(0, -SUFFIX.length), intended)];
  });
}

/** Contract: none where the workspace is another one by now. */
function intendedPoints(
  path: string,
  key: string,
  { sinceMs, points }: Intention,
): readonly MountPoint[] {
  if (points.length === 0) return [];
  try {
    using workspace = openWorkspace(path);
    if (keyOf(workspace) !== key) return [];
    return findMountPoints(workspace.descriptor, points, sinceMs);
  } catch {
    // It is gone, and what was in it.
    return [];
  }
}

const SUFFIX = '.json';
const DRAFT = '.new';

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Whoever has no ledger has made nothing.
    return [];
  }
}

function jsonAt(path: string): unknown {
  try {
    return jsonOf(readFileSync(path, 'utf8'));
  } catch {
    // Erased since: what it told of is gone, too.
    return undefined;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
