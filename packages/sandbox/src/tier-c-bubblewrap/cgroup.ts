import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Limits } from '../model.ts';

/** One group of the kernel's for one sandbox: what no process in it can leave or widen. */
export interface Group {
  readonly version: 'v1' | 'v2';
  add(pid: number): void;
  read(): Usage;
  /** Contract: after everything in it has ended. */
  remove(): void;
}

export interface Usage {
  readonly memoryBytes: number;
  readonly cpuMs: number;
  /** How often the kernel ended a process because there was no memory left for it. */
  readonly outOfMemory: number;
}

/** Where groups can be made, and how they are spelt there. */
export type Groups =
  | { readonly version: 'v2'; readonly folder: string }
  | { readonly version: 'v1'; readonly folders: Readonly<Record<Controller, string>> };
export type Controller = 'memory' | 'pids' | 'cpu' | 'cpuacct';

/** A sandbox's first process, its starter, and the shell before it: they are not the command's. */
export const OWN_PROCESSES = 3;

/** Where this process may make groups of its own. Contract: `undefined` where it may not. */
export function findGroups(
  root = '/sys/fs/cgroup',
  self = '/proc/self/cgroup',
): Groups | undefined {
  const lines = readOr(self, '')
    .trim()
    .split('\n')
    .map((line) => line.split(':'));
  return v2Groups(root, lines) ?? v1Groups(root, lines);
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

/** `palyra`, who made it, and a count: so that what a sudden end left is known for ours. */
export function groupName(count: number): string {
  return `palyra-${process.pid}-${count}`;
}
const NAME = /^palyra-(\d+)-\d+$/;

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
export function makeGroup(groups: Groups, name: string, limits: Limits): Group {
  return groups.version === 'v2'
    ? makeV2(join(groups.folder, name), limits)
    : makeV1(groups.folders, name, limits);
}

const PERIOD_US = 100_000;
/** Of all processors together: the machine itself stays able to answer. */
const CPU_SHARE = 0.9;

function quotaUs(): number {
  return Math.floor(PERIOD_US * availableParallelism() * CPU_SHARE);
}

function makeV2(folder: string, limits: Limits): Group {
  mkdirSync(folder);
  const set = (file: string, value: string) => writeFileSync(join(folder, file), value);
  try {
    set('memory.max', `${limits.memoryBytes}`);
    tryWrite(join(folder, 'memory.swap.max'), '0');
    set('memory.oom.group', '1');
    set('pids.max', `${limits.processes + OWN_PROCESSES}`);
    set('cpu.max', `${quotaUs()} ${PERIOD_US}`);
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  return {
    version: 'v2',
    add: (pid) => set('cgroup.procs', `${pid}`),
    read: () => ({
      memoryBytes: Number(readOr(join(folder, 'memory.current'), '0')),
      cpuMs: field(readOr(join(folder, 'cpu.stat'), ''), 'usage_usec') / 1000,
      outOfMemory: field(readOr(join(folder, 'memory.events'), ''), 'oom_kill'),
    }),
    remove: () => rmdirSync(folder),
  };
}

function makeV1(
  folders: Readonly<Record<Controller, string>>,
  name: string,
  limits: Limits,
): Group {
  // Two controllers may share one place.
  const made = [...new Set(Object.values(folders))].map((folder) => join(folder, name));
  const at = (controller: Controller, file: string) => join(folders[controller], name, file);
  const remove = () => {
    for (const folder of made) rmdirSync(folder);
  };
  for (const folder of made) mkdirSync(folder);
  try {
    writeFileSync(at('memory', 'memory.limit_in_bytes'), `${limits.memoryBytes}`);
    tryWrite(at('memory', 'memory.memsw.limit_in_bytes'), `${limits.memoryBytes}`);
    writeFileSync(at('pids', 'pids.max'), `${limits.processes + OWN_PROCESSES}`);
    writeFileSync(at('cpu', 'cpu.cfs_period_us'), `${PERIOD_US}`);
    writeFileSync(at('cpu', 'cpu.cfs_quota_us'), `${quotaUs()}`);
  } catch (error) {
    remove();
    throw error;
  }
  return {
    version: 'v1',
    add: (pid) => {
      for (const folder of made) writeFileSync(join(folder, 'cgroup.procs'), `${pid}`);
    },
    read: () => ({
      memoryBytes: Number(readOr(at('memory', 'memory.usage_in_bytes'), '0')),
      cpuMs: Number(readOr(at('cpuacct', 'cpuacct.usage'), '0')) / 1e6,
      outOfMemory: field(readOr(at('memory', 'memory.oom_control'), ''), 'oom_kill'),
    }),
    remove,
  };
}

function field(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
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
