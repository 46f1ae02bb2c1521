import type { BigIntStats } from 'node:fs';
import { basename } from 'node:path';
import { type MountPoint, isUnused } from '../open-in.ts';

/** Something in a workspace, as it was when it was looked at. */
export interface Found {
  readonly path: string;
  readonly stats: BigIntStats;
}

/** Reading what is standing takes a while: whoever names thousands of empty files is not served for ever. */
const MOST_READS = 16;

/**
 * What sandboxes make in a workspace for masks to lie on: it comes and goes by itself while somebody thinks
 * about a call, so that no yes is bound to it.
 */
export class Overlooked {
  readonly #read: () => readonly MountPoint[];
  #known: readonly MountPoint[];
  #readsLeft = MOST_READS;

  /** Contract: before anything is looked at, since what is seen may be gone a moment later; `read` never throws. */
  constructor(read: () => readonly MountPoint[]) {
    this.#read = read;
    this.#known = read();
  }

  /** Contract: whether a folder that is left out is empty is still to be asked. */
  without(all: readonly Found[]): readonly Found[] {
    const left = all.filter((found) => !this.#isKnown(found));
    if (left.length === 0 || this.#readsLeft === 0) return left;
    // What was made since is noted by now.
    this.#readsLeft -= 1;
    this.#known = [...this.#known, ...this.#read()];
    return left.filter((found) => !this.#isKnown(found));
  }

  #isKnown({ path, stats }: Found): boolean {
    const facts = plain(stats);
    return this.#known.some(
      (point) => basename(point.path) === basename(path) && isUnused(point, facts),
    );
  }
}

const NS_PER_MS = 1_000_000;
const NS_PER_S = 1_000_000_000n;
const MS_PER_S = 1000;

/** INVARIANT: the same numbers as of those who have noted them, to the last bit. */
function plain(stats: BigIntStats) {
  const [dev, ino, size, nlink] = [stats.dev, stats.ino, stats.size, stats.nlink].map(Number);
  const seconds = Number(stats.mtimeNs / NS_PER_S) * MS_PER_S;
  const mtimeMs = seconds + Number(stats.mtimeNs % NS_PER_S) / NS_PER_MS;
  return {
    dev: dev ?? -1,
    ino: ino ?? -1,
    size: size ?? -1,
    nlink: nlink ?? -1,
    mtimeMs,
    isFile: () => stats.isFile(),
    isDirectory: () => stats.isDirectory(),
  };
}
