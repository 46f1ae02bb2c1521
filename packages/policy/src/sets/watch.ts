import { type FSWatcher, existsSync, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Log } from '@palyra/kernel';
import { systemCode } from '@palyra/private-files';
import { MARKER, type PolicyDirs } from './read-layers.ts';
import type { ChangeSource } from './settling.ts';

interface Watched {
  readonly path: string;
  readonly inode: number;
  readonly watcher: FSWatcher;
}

export interface LayerWatchParts {
  readonly tell: (source: ChangeSource) => void;
  readonly log: Log;
}

/**
 * Tells that something may have changed in the directories of the layers. A directory that is not
 * there yet is awaited in the nearest one above it, step by step. It may miss a change and may tell of none, so
 * whoever is told looks for themselves, and looks now and then without being told.
 */
export class LayerWatch implements Disposable {
  readonly #dirs: ReadonlyMap<string, ChangeSource>;
  readonly #tell: (source: ChangeSource) => void;
  readonly #log: Log;
  readonly #watched = new Map<string, Watched>();
  #hasComplained = false;

  constructor({ admin, operator, workspace }: PolicyDirs, { tell, log }: LayerWatchParts) {
    const people = [admin, operator].filter((dir) => dir !== undefined);
    this.#dirs = new Map([
      ...(workspace === undefined ? [] : [[workspace, 'workspace'] as const]),
      ...people.map((dir) => [dir, 'people'] as const),
    ]);
    this.#tell = tell;
    this.#log = log;
  }

  /** Watches what is there now. May be called at any time: a directory may have come or gone. */
  refresh(): void {
    for (const [dir, source] of this.#dirs) this.#watchIfPossible(dir, source);
  }

  [Symbol.dispose](): void {
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  #watchIfPossible(dir: string, source: ChangeSource): void {
    try {
      this.#watch(dir, source);
    } catch (error) {
      this.#complain(error);
    }
  }

  #watch(dir: string, source: ChangeSource): void {
    const path = nearestExisting(dir);
    const inode = statSync(path).ino;
    const before = this.#watched.get(dir);
    if (before?.path === path && before.inode === inode) return;
    before?.watcher.close();
    this.#watched.delete(dir);
    const next = nextStep(path, dir);
    const watcher = watch(path, { persistent: false }, (_event, name) => {
      if (!isOfInterest(name, next)) return;
      if (next === undefined) this.#tell(source);
      else this.#approach(dir, source);
    });
    watcher.on('error', (error) => {
      watcher.close();
      this.#watched.delete(dir);
      this.#complain(error);
    });
    this.#watched.set(dir, { path, inode, watcher });
    // Somebody may have made the next one before this one was watched.
    if (nearestExisting(dir) !== path) this.#watch(dir, source);
  }

  /** A folder above has come: nothing is told before the rules can be there. */
  #approach(dir: string, source: ChangeSource): void {
    this.#watchIfPossible(dir, source);
    if (this.#watched.get(dir)?.path !== dir) return;
    this.#tell(source === 'workspace' ? 'new-workspace' : source);
  }

  /** Once: the regular look finds changes too, only later. */
  #complain(error: unknown): void {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    this.#log.warn('policy directories cannot be watched; changes are found later', {
      reason: systemCode(error) ?? 'unknown reason',
    });
  }
}

function nearestExisting(dir: string): string {
  let path = dir;
  while (!existsSync(path) && dirname(path) !== path) path = dirname(path);
  return path;
}

/** The name that has to appear for `dir` to come nearer; `undefined` when it is there. */
function nextStep(path: string, dir: string): string | undefined {
  if (path === dir) return undefined;
  let step = dir;
  while (dirname(step) !== path && dirname(step) !== step) step = dirname(step);
  return basename(step);
}

/** Drafts are hidden, and become interesting when they get their name; a hidden file of rules is a mistake. */
function isOfInterest(name: string | null, next: string | undefined): boolean {
  if (name === null) return true;
  if (next !== undefined) return name === next;
  return !name.startsWith('.') || name === MARKER || name.toLowerCase().endsWith('.cedar');
}
