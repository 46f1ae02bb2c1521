import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { rmdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Limits } from '../model.ts';

/** One group of the kernel's for one sandbox: what no process in it can leave or widen. */
export interface Group {
  readonly version: 'v1' | 'v2';
  add(pid: number): void;
  /** The same, without standing still meanwhile. Contract: rejects as the file system does. */
  addSoon(pid: number): Promise<void>;
  /** Whether it is in it, whoever put it there. */
  holds(pid: number): boolean;
  /** Contract: these limits from now on; throws as the file system does. */
  limit(limits: GroupLimits): void;
  cpuMs(): number;
  /** How often the kernel ended a process because there was no memory left for it. */
  outOfMemory(): number;
  /** Contract: after everything in it has ended; may be called again, and rejects as the file system does. */
  remove(): Promise<void>;
}

/** What the kernel holds it to. */
export interface GroupLimits extends Pick<Limits, 'memoryBytes' | 'processes'> {
  /** Those in it that are not the command's, which has its processes beside them. As many as a cage's, unless told. */
  readonly own?: number;
}

/** Where groups can be made, and how they are spelt there. */
export type Groups =
  | { readonly version: 'v2'; readonly folder: string }
  | { readonly version: 'v1'; readonly folders: Readonly<Record<Controller, string>> };
export type Controller = 'memory' | 'pids' | 'cpu' | 'cpuacct';

/** A sandbox's first process, and the command's starter: they are not the command's. */
export const OWN_PROCESSES = 2;
/** The same in a cage's group, where bwrap itself may be too. */
const OWN_IN_GROUP = OWN_PROCESSES + 1;

/** Where this process may make groups of its own. Contract: `undefined` where it may not. */
export function findGroups(
  root = '/sys/fs/cgroup',
  self = '/proc/self/cgroup',
): Groups | undefined {
  const lines = linesOf(self);
  return v2Groups(root, lines) ?? v1Groups(root, lines);
}

function linesOf(self: string): readonly (readonly string[])[] {
  return readOr(self, '')
    .trim()
    .split('\n')
    .map((line) => line.split(':'));
}

/**
 * A unit with `Delegate=yes` and `DelegateSubgroup=supervisor` has us in the subgroup, so that groups
 * with limits can stand beside it: the kernel wants no process in a group that divides its means.
 */
const SUBGROUP = 'supervisor';
const MEANS: readonly string[] = ['memory', 'pids', 'cpu'];

function v2Groups(root: string, lines: readonly (readonly string[])[]): Groups | undefined {
  const path = lines.find(([number]) => number === '0')?.[2];
  if (path === undefined) return undefined;
  const own = join(root, path);
  const folder = basename(own) === SUBGROUP ? dirname(own) : own;
  const offered = readOr(join(folder, 'cgroup.controllers'), '').trim().split(' ');
  if (!MEANS.every((means) => offered.includes(means))) return undefined;
  const wish = MEANS.map((means) => `+${means}`).join(' ');
  return tryWrite(join(folder, 'cgroup.subtree_control'), wish)
    ? { version: 'v2', folder }
    : undefined;
}

function v1Groups(root: string, lines: readonly (readonly string[])[]): Groups | undefined {
  const folderOf = (controller: Controller): string => {
    const line = lines.find(([, names = '']) => names.split(',').includes(controller));
    return line === undefined ? '' : join(root, line[1] ?? '', line[2] ?? '');
  };
  const folders = {
    memory: folderOf('memory'),
    pids: folderOf('pids'),
    cpu: folderOf('cpu'),
    cpuacct: folderOf('cpuacct'),
  };
  const isUsable = Object.values(folders).every((folder) => folder !== '' && canMakeIn(folder));
  return isUsable ? { version: 'v1', folders } : undefined;
}

function canMakeIn(folder: string): boolean {
  const trial = join(folder, `palyra-trial-${process.pid}`);
  try {
    mkdirSync(trial);
    rmdirSync(trial);
    return true;
  } catch {
    return false;
  }
}

/** Says whose it is, so that what a sudden end left is known for ours. */
export interface NameMark {
  readonly tier: 'b' | 'c';
  /** Of one maker in this process: hexadecimal digits, and no other's. */
  readonly maker: string;
}

export function groupName({ tier, maker }: NameMark, count: number): string {
  return `palyra-${tier}-${process.pid}-${maker}-${count}`;
}
const NAME = /^palyra-[bc]-(\d+)-[0-9a-f]+-\d+$/;

/** Removes what those left who are no more. Contract: only what is empty; never throws. */
export function sweepFolders(folders: readonly string[]): void {
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      const maker = NAME.exec(name)?.[1];
      if (maker !== undefined && !existsSync(`/proc/${maker}`)) tryRemove(join(folder, name));
    }
  }
}

export function foldersOf(groups: Groups | undefined): readonly string[] {
  if (groups === undefined) return [];
  return groups.version === 'v2' ? [groups.folder] : [...new Set(Object.values(groups.folders))];
}

function tryRemove(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody lives in it, or it is gone already.
  }
}

/** Contract: throws as the file system does; then there is no group and no sandbox. */
export function makeGroup(groups: Groups, name: string, limits: GroupLimits): Group {
  return groups.version === 'v2'
    ? makeV2(join(groups.folder, name), limits)
    : makeV1(groups.folders, name, limits);
}

/** The same with somebody in it, who is not the command's. Contract: as of `makeGroup`. */
export function makeGroupOf(
  pids: readonly number[],
  ...[groups, name, limits]: Parameters<typeof makeGroup>
): Group {
  const group = makeGroup(groups, name, { ...limits, own: pids.length });
  try {
    for (const pid of pids) group.add(pid);
    return group;
  } catch (error) {
    // Not waited for: whoever is in it by now is ended only after this was told.
    void removeGroup(group);
    throw error;
  }
}

const PERIOD_US = 100_000;
/** Of all processors together: the machine itself stays able to answer. */
const CPU_SHARE = 0.9;

function quotaUs(): number {
  return Math.floor(PERIOD_US * availableParallelism() * CPU_SHARE);
}

function makeV2(folder: string, limits: GroupLimits): Group {
  mkdirSync(folder);
  const set = (file: string, value: string) => writeFileSync(join(folder, file), value);
  const limit = ({ memoryBytes, processes, own = OWN_IN_GROUP }: GroupLimits) => {
    set('memory.max', `${memoryBytes}`);
    set('pids.max', `${processes + own}`);
  };
  try {
    limit(limits);
    tryWrite(join(folder, 'memory.swap.max'), '0');
    set('memory.oom.group', '1');
    set('cpu.max', `${quotaUs()} ${PERIOD_US}`);
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  const events = new HeldFile(join(folder, 'memory.events'));
  return {
    version: 'v2',
    ...membership([folder]),
    limit: whenOther(limits, limit),
    cpuMs: () => field(readOr(join(folder, 'cpu.stat'), ''), 'usage_usec') / 1000,
    outOfMemory: () => field(events.text(), 'oom_kill'),
    remove: async () => {
      events[Symbol.dispose]();
      await rmdir(folder);
    },
  };
}

function makeV1(
  folders: Readonly<Record<Controller, string>>,
  name: string,
  limits: GroupLimits,
): Group {
  // Two controllers may share one place.
  const made = [...new Set(Object.values(folders))].map((folder) => join(folder, name));
  const at = (controller: Controller, file: string) => join(folders[controller], name, file);
  const limit = ({ memoryBytes, processes, own = OWN_IN_GROUP }: GroupLimits) => {
    // With swap it may never be less than without: raised first, lowered last.
    tryWrite(at('memory', 'memory.memsw.limit_in_bytes'), `${memoryBytes}`);
    writeFileSync(at('memory', 'memory.limit_in_bytes'), `${memoryBytes}`);
    tryWrite(at('memory', 'memory.memsw.limit_in_bytes'), `${memoryBytes}`);
    // What waits in connections counts by itself here, and against a ceiling of the whole machine.
    tryWrite(at('memory', 'memory.kmem.tcp.limit_in_bytes'), `${memoryBytes}`);
    writeFileSync(at('pids', 'pids.max'), `${processes + own}`);
  };
  for (const folder of made) mkdirSync(folder);
  try {
    limit(limits);
    writeFileSync(at('cpu', 'cpu.cfs_period_us'), `${PERIOD_US}`);
    writeFileSync(at('cpu', 'cpu.cfs_quota_us'), `${quotaUs()}`);
  } catch (error) {
    for (const folder of made) rmdirSync(folder);
    throw error;
  }
  const events = new HeldFile(at('memory', 'memory.oom_control'));
  return {
    version: 'v1',
    ...membership(made),
    limit: whenOther(limits, limit),
    cpuMs: () => Number(readOr(at('cpuacct', 'cpuacct.usage'), '0')) / 1e6,
    outOfMemory: () => field(events.text(), 'oom_kill'),
    remove: async () => {
      events[Symbol.dispose]();
      await Promise.all(made.filter((folder) => existsSync(folder)).map((folder) => rmdir(folder)));
    },
  };
}

function membership(folders: readonly string[]): Pick<Group, 'add' | 'addSoon' | 'holds'> {
  const files = folders.map((folder) => join(folder, 'cgroup.procs'));
  const name = `/${basename(folders[0] ?? '')}`;
  return {
    add: (pid) => {
      for (const file of files) writeFileSync(file, `${pid}`);
    },
    // Each takes the kernel a while, in which the others need not wait.
    addSoon: async (pid) => {
      await Promise.all(files.map((file) => writeFile(file, `${pid}`)));
    },
    holds: (pid) => {
      const lines = readOr(`/proc/${pid}/cgroup`, '').trim().split('\n');
      return lines.filter((line) => line.endsWith(name)).length >= files.length;
    },
  };
}

/** Compared with what was set last, which is not known any more once setting has failed. */
function whenOther(made: GroupLimits, set: Group['limit']): Group['limit'] {
  let now: GroupLimits | undefined = made;
  return (limits) => {
    if (limits.memoryBytes === now?.memoryBytes && limits.processes === now.processes) return;
    now = undefined;
    set({ ...made, ...limits });
    now = limits;
  };
}

const REMOVE_TRIES = 50;
const REMOVE_PAUSE_MS = 5;

/** The kernel lets go of a group somewhat after its last process. Contract: tells whether it is gone. */
export async function removeGroup(group: Group): Promise<boolean> {
  for (let left = REMOVE_TRIES; left > 0; left -= 1) {
    try {
      await group.remove();
      return true;
    } catch {
      await pause(REMOVE_PAUSE_MS);
    }
  }
  return false;
}

function field(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}

const MOST_BYTES = 4096;

/** Asked for behind every command: to find it by its name takes longer than to read it. */
class HeldFile implements Disposable {
  readonly #path: string;
  #descriptor: number | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = tryOpen(path);
  }

  /** Contract: empty when it cannot be read. Not after it was disposed of. */
  text(): string {
    this.#descriptor ??= tryOpen(this.#path);
    if (this.#descriptor === undefined) return '';
    const bytes = Buffer.alloc(MOST_BYTES);
    try {
      return bytes.toString('utf8', 0, readSync(this.#descriptor, bytes, 0, MOST_BYTES, 0));
    } catch {
      return '';
    }
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

function tryOpen(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

function tryWrite(path: string, value: string): boolean {
  try {
    writeFileSync(path, value);
    return true;
  } catch {
    return false;
  }
}
