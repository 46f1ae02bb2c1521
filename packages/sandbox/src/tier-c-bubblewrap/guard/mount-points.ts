import { setTimeout as pause } from 'node:timers/promises';
import { PalyraError, quote } from '@palyra/kernel';
import type { Libc } from '../../libc.ts';
import { type Workspace, openWorkspace } from '../workspace.ts';
import type { Blanks, Home } from './blanks.ts';
import { type Intention, Ledger, NO_INTENTION, type Page } from './ledger.ts';
import { lookAgain } from './look-again.ts';
import {
  type MountPoint,
  changedMountPoints,
  findMountPoints,
  keyOf,
  makeMountPoint,
  removeMountPoint,
  usedMountPoints,
} from './mount-point.ts';
import type { GuardRules } from './rules.ts';
import { type Guarded, type Scanned, scan } from './scan.ts';
import { type Look, ScanMemory, openMemory } from './scan-memory.ts';
import { WorkspaceLock } from './workspace-lock.ts';

/** One sandbox's time in a workspace: while it lasts, nobody takes away what masks lie on. */
export interface Stay {
  /** What stands in the workspace only because of us, at any moment, by its path. */
  readonly ours: ReadonlyMap<string, MountPoint>;
  /** What is to be guarded, as it is now. Contract: rejects as `scan` does. */
  scan(rules: GuardRules): Promise<Scanned>;
  /** Whether nothing that was looked at then has changed since. On doubt it has. */
  isAsScanned(): boolean;
  /** What has appeared since that other programs obey. Contract: in words, and never rejects. */
  lookAgain(rules: GuardRules, before: readonly Guarded[]): Promise<readonly string[]>;
  /** Makes what masks lie on. Contract: throws as the file system does. */
  add(guarded: readonly Guarded[]): void;
  /** What somebody else has changed of it, and what therefore will stay. */
  changed(): readonly string[];
  /** Contract: once, after the sandbox is gone. */
  leave(): void;
}

interface Held {
  users: number;
  /** By their paths. */
  readonly points: Map<string, MountPoint>;
  readonly path: string;
  readonly lock: WorkspaceLock;
  readonly isShared: Promise<void>;
  readonly memory: ScanMemory;
  /** Set while nobody of ours is in it and somebody may come back at once. */
  timer: NodeJS.Timeout | undefined;
}

export interface MountPointOptions {
  readonly libc: Libc;
  /** Contract: exists, and no other process uses it. */
  readonly folder: string;
  /** How long they stay after their last sandbox, for the next one. */
  readonly lingerMs: number;
  /** Where files are put that are not needed now; without it they are removed. Ended with this. */
  readonly blanks?: Blanks;
}

/** Whoever tidies up takes milliseconds. */
const LOCK_TRIES = 200;
const LOCK_PAUSE_MS = 5;
const TIDY_TRIES = 120;
const TIDY_PAUSE_MS = 1000;
/** File systems stamp with a clock that ticks now and then. */
const CLOCK_STEP_MS = 20;

/**
 * Makes what masks lie on, and takes it away again.
 * INVARIANT: as long as one sandbox of a workspace lives, whosever it is, all mount points in it stay:
 * removing one removes every mask that lies on it, in every sandbox.
 */
export class MountPoints implements Disposable {
  readonly #libc: Libc;
  readonly #lingerMs: number;
  readonly #ledger: Ledger;
  readonly #blanks: Blanks | undefined;
  readonly #held = new Map<string, Held>();
  /** Ours, in workspaces where somebody else's sandboxes still live. */
  readonly #left = new Map<string, Page>();
  #timer: NodeJS.Timeout | undefined;

  /** What an earlier process left is removed. */
  constructor({ libc, folder, lingerMs, blanks }: MountPointOptions) {
    this.#libc = libc;
    this.#lingerMs = lingerMs;
    this.#blanks = blanks;
    this.#ledger = new Ledger(folder);
    for (const [key, page] of this.#ledger.read()) this.#left.set(key, page);
    this.#tidy(TIDY_TRIES);
  }

  /** Contract: before anything in it is looked at. Rejects with SANDBOX_SCOPE_DENIED when it cannot be had. */
  async enter(workspace: Workspace, path: string): Promise<Stay> {
    const key = keyOf(workspace);
    const held = this.#held.get(key) ?? this.#hold(workspace, path);
    this.#held.set(key, held);
    held.users += 1;
    clearTimeout(held.timer);
    try {
      await held.isShared;
      return this.#stay({ ...workspace, key }, held);
    } catch (error) {
      held.users -= 1;
      if (held.users === 0) this.#giveUp(key, held);
      throw error;
    }
  }

  #stay(workspace: KeyedWorkspace, held: Held): Stay {
    const { key, descriptor } = workspace;
    const { memory, points } = held;
    const recalled = memory.recall();
    const look = recalled?.look ?? memory.begin();
    if (recalled === undefined) this.#letGo(key, held, look);
    let laidOn: readonly MountPoint[] = [];
    return {
      ours: points,
      scan: async (rules) => {
        if (recalled !== undefined) return recalled.scanned;
        const scanned = await scan(descriptor, { rules, ours: points, ...look });
        memory.keep(look, scanned);
        return scanned;
      },
      isAsScanned: () => memory.isAsIn(look),
      lookAgain: async (rules, before) => {
        if (memory.isAsIn(look)) return [];
        return await lookAgain(descriptor, before, { rules, ours: points, ...memory.begin() });
      },
      add: (guarded) => {
        this.#add(workspace, held, guarded);
        laidOn = [...points.values()];
      },
      changed: () => changedMountPoints(held.lock.descriptor, laidOn).map(({ path }) => path),
      leave: () => this.#leave(key, held),
    };
  }

  #hold(workspace: Workspace, path: string): Held {
    const key = keyOf(workspace);
    const lock = lockOn(this.#libc, workspace, path);
    const left = this.#left.get(key)?.points ?? [];
    this.#left.delete(key);
    const points = new Map(left.map((point) => [point.path, point]));
    const isShared = untilShared(lock, path);
    // Where nothing lingers, all of it is gone before the next one comes.
    const memory = this.#lingerMs === 0 ? new ScanMemory() : openMemory(this.#libc, lock);
    return { users: 0, points, path, lock, isShared, memory, timer: undefined };
  }

  /**
   * What somebody has put something into is theirs: it is guarded from now on as all that is there, and never
   * taken away. Masks that lie on it already stay.
   */
  #letGo(key: string, held: Held, { watch }: Look): void {
    const used = usedMountPoints(held.lock.descriptor, [...held.points.values()], watch);
    if (used.length === 0) return;
    for (const { path } of used) held.points.delete(path);
    if (held.points.size === 0) this.#ledger.erase(key);
    else this.#note(key, held, { blanks: [], intended: [] });
  }

  #add(workspace: KeyedWorkspace, held: Held, guarded: readonly Guarded[]): void {
    const wanted = guarded.flatMap(missingPoint).filter(({ path }) => !held.points.has(path));
    if (wanted.length === 0) return;
    const blanks = this.#blanks?.find(workspace, wanted) ?? [];
    const isBlank = new Set(blanks.map(({ path }) => path));
    const missing = wanted.filter(({ path }) => !isBlank.has(path));
    // First what is to be made, then what was: between the two we may end. Blanks need no intention, known
    // as they are before they stand there: one that never got there does no harm in a ledger.
    this.#note(workspace.key, held, { blanks, intended: missing });
    const left = blanks.filter((blank) => !this.#lay(workspace, held, blank));
    const made = [...missing, ...left];
    if (left.length > 0) this.#note(workspace.key, held, { blanks: [], intended: made });
    for (const { path, kind } of made) {
      const point = makeMountPoint(workspace, path, kind);
      if (point !== undefined) keep(held, point);
    }
    if (made.length > 0) this.#note(workspace.key, held, { blanks: [], intended: [] });
  }

  #note(
    key: string,
    { path, points }: Held,
    { blanks, intended }: { blanks: readonly MountPoint[]; intended: Intention['points'] },
  ): void {
    const sinceMs = performance.timeOrigin + performance.now() - CLOCK_STEP_MS;
    this.#ledger.write(key, {
      workspace: path,
      points: [...points.values(), ...blanks],
      intended: intended.length === 0 ? NO_INTENTION : { sinceMs, points: intended },
    });
  }

  #lay({ descriptor, key }: KeyedWorkspace, held: Held, blank: MountPoint): boolean {
    if (this.#blanks?.lay(descriptor, key, blank) !== true) return false;
    keep(held, blank);
    return true;
  }

  #leave(key: string, held: Held): void {
    held.users -= 1;
    if (held.users > 0) return;
    if (this.#lingerMs === 0) this.#giveUp(key, held);
    else held.timer = setTimeout(() => this.#giveUp(key, held), this.#lingerMs).unref();
  }

  #giveUp(key: string, held: Held): void {
    this.#held.delete(key);
    held.memory[Symbol.dispose]();
    using lock = held.lock;
    if (held.points.size === 0) return;
    const { path } = held;
    const points = [...held.points.values()];
    if (lock.trySeize()) return this.#clear({ key, path }, lock, points);
    this.#left.set(key, { workspace: path, points, intended: NO_INTENTION });
    this.#tidyLater(TIDY_TRIES);
  }

  #clear(home: Home, lock: WorkspaceLock, points: readonly MountPoint[]): void {
    // Last made, first removed.
    for (const point of points.toReversed()) this.#takeAway(home, lock, point);
    this.#ledger.erase(home.key);
  }

  #takeAway(home: Home, { descriptor }: WorkspaceLock, point: MountPoint): void {
    try {
      if (this.#blanks?.putAway(descriptor, home, point) === true) return;
      removeMountPoint(descriptor, point);
    } catch {
      // It holds something now, or cannot be reached: it is somebody else's.
    }
  }

  /** Where nobody lives any more. */
  #tidy(triesLeft: number): void {
    for (const [key, page] of this.#left) {
      if (this.#tidyOne(key, page)) this.#left.delete(key);
    }
    if (this.#left.size > 0 && triesLeft > 1) this.#tidyLater(triesLeft - 1);
  }

  #tidyLater(triesLeft: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tidy(triesLeft), TIDY_PAUSE_MS).unref();
  }

  /** Contract: `false` when it has to be tried again. */
  #tidyOne(key: string, { workspace: path, points, intended }: Page): boolean {
    try {
      using workspace = openWorkspace(path);
      if (keyOf(workspace) !== key) return this.#forget(key);
      using lock = new WorkspaceLock(this.#libc, workspace.descriptor);
      if (!lock.trySeize()) return false;
      const found = findMountPoints(workspace.descriptor, intended.points, intended.sinceMs);
      this.#clear({ key, path }, lock, [...points, ...found]);
      return true;
    } catch {
      // The workspace itself is gone, and what was in it.
      return this.#forget(key);
    }
  }

  #forget(key: string): true {
    this.#ledger.erase(key);
    return true;
  }

  /** Takes away at once what stands in workspaces that nobody of ours is in. */
  clear(): void {
    for (const [key, held] of this.#held) {
      if (held.users > 0) continue;
      clearTimeout(held.timer);
      this.#giveUp(key, held);
    }
  }

  /** What cannot be removed now stands in the ledger, for whoever comes next. */
  [Symbol.dispose](): void {
    this.clear();
    this.#tidy(1);
    clearTimeout(this.#timer);
    this.#blanks?.[Symbol.dispose]();
    this.#ledger[Symbol.dispose]();
  }
}

type KeyedWorkspace = Pick<Workspace, 'descriptor' | 'owner'> & { readonly key: string };

function keep(held: Held, point: MountPoint): void {
  held.points.set(point.path, point);
}

function missingPoint({ path, how }: Guarded): readonly Pick<MountPoint, 'path' | 'kind'>[] {
  if (how === 'missing-file') return [{ path, kind: 'file' }];
  return how === 'missing-folder' ? [{ path, kind: 'folder' }] : [];
}

function lockOn(libc: Libc, { descriptor }: Workspace, path: string): WorkspaceLock {
  try {
    return new WorkspaceLock(libc, descriptor);
  } catch (cause) {
    throw notToBeHad(path, 'cannot be read', cause);
  }
}

async function untilShared(lock: WorkspaceLock, path: string): Promise<void> {
  for (let left = LOCK_TRIES; left > 0; left -= 1) {
    if (lock.tryShare()) return;
    await pause(LOCK_PAUSE_MS);
  }
  throw notToBeHad(path, 'is locked by another program, or cannot be locked at all');
}

function notToBeHad(path: string, why: string, cause?: unknown): PalyraError {
  return new PalyraError('SANDBOX_SCOPE_DENIED', `the workspace ${quote(path)} ${why}`, {
    cause,
    help: 'choose a folder of this machine that you can read',
  });
}
