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
  shelf = new GroupShelf({ version: 'v2', folder }, () => `${(names += 1)}`);
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
  it('gives what was made before, with the limits of whoever takes it', () => {
    shelf.restock(DEFAULT_LIMITS);
    shelf.take(LESS);
    expect(made()).toEqual(['1']);
    expect(readFileSync(join(folder, '1/memory.max'), 'utf8')).toBe('4096');
  });

  it('gives one that takes its first limits again after others', () => {
    shelf.restock(DEFAULT_LIMITS);
    const group = shelf.take(LESS);
    group.limit(DEFAULT_LIMITS);
    expect(readFileSync(join(folder, '1/memory.max'), 'utf8')).toBe(
      `${DEFAULT_LIMITS.memoryBytes}`,
    );
    group.limit(LESS);
    expect(readFileSync(join(folder, '1/memory.max'), 'utf8')).toBe('4096');
  });

  it('gives none twice', () => {
    shelf.restock(DEFAULT_LIMITS);
    shelf.take(DEFAULT_LIMITS).add(41);
    shelf.take(DEFAULT_LIMITS).add(42);
    expect(readFileSync(join(folder, '1/cgroup.procs'), 'utf8')).toBe('41');
    expect(readFileSync(join(folder, '2/cgroup.procs'), 'utf8')).toBe('42');
  });

  it('gives nobody one whose limits could not be set', () => {
    shelf.restock(DEFAULT_LIMITS);
    rmSync(join(folder, '1/pids.max'));
    mkdirSync(join(folder, '1/pids.max'));
    expect(() => shelf.take(LESS)).toThrow('EISDIR');
    shelf.take(DEFAULT_LIMITS).add(42);
    expect(readFileSync(join(folder, '2/cgroup.procs'), 'utf8')).toBe('42');
  });

  it('has the kernel get ready for a move as soon as one is expected', async () => {
    const folders = { memory: folder, pids: folder, cpu: folder, cpuacct: folder };
    const moves = () => readFileSync(join(folder, 'cgroup.procs'), 'utf8');
    shelf = new GroupShelf({ version: 'v1', folders }, () => 'one');
    shelf.expect();
    expect(readdirSync(folder)).toEqual([]);
    shelf.restock(DEFAULT_LIMITS);
    shelf.expect();
    await expect.poll(moves).toBe(`${process.pid}`);
  });

  it('keeps no more than one, and makes none after its end', async () => {
    shelf.restock(DEFAULT_LIMITS);
    shelf.restock(DEFAULT_LIMITS);
    expect(made()).toEqual(['1']);
    rmSync(join(folder, '1'), { recursive: true });
    await shelf[Symbol.asyncDispose]();
    shelf.restock(DEFAULT_LIMITS);
    expect(made()).toEqual([]);
  });
});
