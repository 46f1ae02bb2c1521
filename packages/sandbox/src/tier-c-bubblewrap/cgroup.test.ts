import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import { findGroups, foldersOf, makeGroup, makeGroupOf, sweepFolders } from './cgroup.ts';

/** A folder in the place of the kernel's: what is written can be read back, and nothing is enforced. */
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'palyra-cgroup-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
}
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('groups of the second version', () => {
  it('are made beside the subgroup that a delegated unit runs in', () => {
    const self = put('self', '0::/system.slice/palyra.service/supervisor\n');
    put('system.slice/palyra.service/cgroup.controllers', 'cpu io memory pids\n');
    const groups = findGroups(root, self);
    expect(groups).toEqual({ version: 'v2', folder: join(root, 'system.slice/palyra.service') });
    expect(read('system.slice/palyra.service/cgroup.subtree_control')).toBe('+memory +pids +cpu');
  });

  it('hold the limits, and tell what was used', () => {
    mkdirSync(join(root, 'palyra'));
    const group = makeGroup({ version: 'v2', folder: join(root, 'palyra') }, 'one', DEFAULT_LIMITS);
    group.add(42);
    expect(read('palyra/one/memory.max')).toBe('2147483648');
    expect(read('palyra/one/memory.swap.max')).toBe('0');
    expect(read('palyra/one/memory.oom.group')).toBe('1');
    expect(read('palyra/one/pids.max')).toBe('259');
    expect(read('palyra/one/cgroup.procs')).toBe('42');
    put('palyra/one/cpu.stat', 'usage_usec 2500\nuser_usec 1\n');
    put('palyra/one/memory.events', 'oom 3\noom_kill 1\n');
    expect([group.cpuMs(), group.outOfMemory()]).toEqual([2.5, 1]);
  });

  it('let a command have its processes beside those who are in it already, and none more', () => {
    mkdirSync(join(root, 'palyra'));
    const groups = { version: 'v2', folder: join(root, 'palyra') } as const;
    makeGroupOf([42], groups, 'one', { ...DEFAULT_LIMITS, processes: 10 });
    expect(read('palyra/one/pids.max')).toBe('11');
  });

  it('are not used where a controller is missing', () => {
    const self = put('self', '0::/user.slice\n');
    put('user.slice/cgroup.controllers', 'memory pids\n');
    expect(findGroups(root, self)).toBeUndefined();
  });
});

describe('groups of the first version', () => {
  const lines = '4:memory:/m\n3:cpu,cpuacct:/c\n2:pids:/\n0::/\n';

  it('are made below our own, in each hierarchy', () => {
    const self = put('self', lines);
    for (const folder of ['memory/m', 'cpu,cpuacct/c', 'pids'])
      mkdirSync(join(root, folder), { recursive: true });
    const groups = findGroups(root, self);
    if (groups === undefined) throw new Error('none found');
    makeGroup(groups, 'one', DEFAULT_LIMITS).add(42);
    expect(read('memory/m/one/memory.limit_in_bytes')).toBe('2147483648');
    expect(read('pids/one/pids.max')).toBe('259');
    expect(read('cpu,cpuacct/c/one/cpu.cfs_period_us')).toBe('100000');
    expect(read('cpu,cpuacct/c/one/cgroup.procs')).toBe('42');
  });

  it('are not used where one hierarchy is missing or cannot be written', () => {
    const self = put('self', lines);
    mkdirSync(join(root, 'memory/m'), { recursive: true });
    expect(findGroups(root, self)).toBeUndefined();
    expect(existsSync(join(root, `memory/m/palyra-trial-${process.pid}`))).toBe(false);
  });
});

describe('what a sudden end left', () => {
  it('is removed when its maker is no more, and nothing else', () => {
    const kept = [`palyra-c-${process.pid}-ab-1`, 'palyra-b-1-ab-1', 'palyra-x', 'other'];
    for (const name of [...kept, 'palyra-c-99999999-ab-1', 'palyra-b-99999999-ab-2'])
      mkdirSync(join(root, name));
    sweepFolders(foldersOf({ version: 'v2', folder: root }));
    expect(readdirSync(root).toSorted()).toEqual(kept.toSorted());
  });
});
