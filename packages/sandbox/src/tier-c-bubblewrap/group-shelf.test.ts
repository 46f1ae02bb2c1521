import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import { GroupShelf } from './group-shelf.ts';

/** A folder in the place of the kernel's. */
let folder = '';
let shelf: GroupShelf;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palyra-shelf-'));
  let names = 0;
  shelf = new GroupShelf({
    groups: { version: 'v2', folder },
    nextName: () => `${(names += 1)}`,
    startStandIn: () => undefined,
  });
});
afterEach(async () => {
  await shelf[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Of all that was made. */
const made = () =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const LESS = { ...DEFAULT_LIMITS, memoryBytes: 4096 };

describe('a shelf of groups', () => {
  it('gives what was made before, with the limits of whoever takes it', async () => {
    await shelf.restock(DEFAULT_LIMITS);
    await shelf.take(LESS);
    expect(made()).toEqual(['1']);
    expect(readFileSync(join(folder, '1/memory.max'), 'utf8')).toBe('4096');
  });

  it('gives one that takes its first limits again after others', async () => {
    await shelf.restock(DEFAULT_LIMITS);
    const { group } = await shelf.take(LESS);
    group.limit(DEFAULT_LIMITS);
    expect(readFileSync(join(folder, '1/memory.max'), 'utf8')).toBe(
      `${DEFAULT_LIMITS.memoryBytes}`,
    );
    group.limit(LESS);
    expect(readFileSync(join(folder, '1/memory.max'), 'utf8')).toBe('4096');
  });

  it('gives none twice', async () => {
    await shelf.restock(DEFAULT_LIMITS);
    (await shelf.take(DEFAULT_LIMITS)).group.add(41);
    (await shelf.take(DEFAULT_LIMITS)).group.add(42);
    expect(readFileSync(join(folder, '1/cgroup.procs'), 'utf8')).toBe('41');
    expect(readFileSync(join(folder, '2/cgroup.procs'), 'utf8')).toBe('42');
  });

  it('gives nobody one whose limits could not be set', async () => {
    await shelf.restock(DEFAULT_LIMITS);
    rmSync(join(folder, '1/pids.max'));
    mkdirSync(join(folder, '1/pids.max'));
    await expect(shelf.take(LESS)).rejects.toThrow('EISDIR');
    (await shelf.take(DEFAULT_LIMITS)).group.add(42);
    expect(readFileSync(join(folder, '2/cgroup.procs'), 'utf8')).toBe('42');
  });

  it('has somebody stand in what it gives, and asks nobody else there when it is over', async () => {
    const ended: number[] = [];
    const as = { bwrap: '', words: [], runAs: undefined };
    const standIn = (pid: number) => ({
      pid,
      as,
      become: () => undefined,
      [Symbol.asyncDispose]: async () => void ended.push(pid),
    });
    let pids = 70;
    const own = new GroupShelf({
      groups: { version: 'v2', folder },
      nextName: () => `${pids}`,
      startStandIn: () => standIn((pids += 1)),
    });
    await own.restock(DEFAULT_LIMITS);
    const stocked = await own.take(DEFAULT_LIMITS);
    expect(stocked.standIn?.pid).toBe(71);
    expect(readFileSync(join(folder, '70/cgroup.procs'), 'utf8')).toBe('71');
    await own.restock(DEFAULT_LIMITS);
    rmSync(join(folder, '71'), { recursive: true });
    await own[Symbol.asyncDispose]();
    expect(ended).toEqual([72]);
  });

  it('gives each of many at once their own', async () => {
    const taken = await Promise.all([1, 2, 3].map(() => shelf.take(DEFAULT_LIMITS)));
    for (const [place, { group }] of taken.entries()) group.add(40 + place);
    const members = made().map((name) => readFileSync(join(folder, name, 'cgroup.procs'), 'utf8'));
    expect(members.toSorted()).toEqual(['40', '41', '42']);
  });

  it('keeps no more than one, and makes none after its end', async () => {
    await shelf.restock(DEFAULT_LIMITS);
    await shelf.restock(DEFAULT_LIMITS);
    expect(made()).toEqual(['1']);
    rmSync(join(folder, '1'), { recursive: true });
    await shelf[Symbol.asyncDispose]();
    await shelf.restock(DEFAULT_LIMITS);
    expect(made()).toEqual([]);
  });
});
