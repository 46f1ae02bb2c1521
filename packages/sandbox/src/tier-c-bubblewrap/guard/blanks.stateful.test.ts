import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLibc } from '../../libc.ts';
import { Blanks } from './blanks.ts';
import type { MountPoint } from './mount-point.ts';

const libc = openLibc();
const KEY = 'a workspace';

async function ground() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'palyra-blanks-'));
  const [workspace, shelf] = [join(folder.path, 'workspace'), join(folder.path, 'shelf')];
  for (const path of [workspace, shelf]) mkdirSync(path);
  const root = openSync(workspace, 'r');
  const { uid, gid } = statSync(workspace);
  const place = (path: string) => join(workspace, path);
  const make = (path: string, kind: MountPoint['kind']): MountPoint => {
    if (kind === 'file') writeFileSync(place(path), '');
    else mkdirSync(place(path));
    const { dev: device, ino: inode } = statSync(place(path));
    return { path, kind, device, inode };
  };
  const wanted = { key: KEY, owner: { uid, gid } };
  const dispose = async () => {
    closeSync(root);
    await folder[Symbol.asyncDispose]();
  };
  const blanks = new Blanks(libc, shelf);
  return { blanks, root, shelf, workspace, place, make, wanted, [Symbol.asyncDispose]: dispose };
}

describe('what masks lay on', () => {
  it('goes back to its own name, the same one', async () => {
    await using at = await ground();
    const points = [at.make('.npmrc', 'file'), at.make('.vscode', 'folder')];
    for (const point of points) expect(at.blanks.putAway(at.root, KEY, point)).toBe(true);
    expect(readdirSync(at.workspace)).toEqual([]);
    expect(at.blanks.find({ ...at.wanted, key: 'another' }, points)).toEqual([]);
    expect(at.blanks.find(at.wanted, points)).toEqual(points);
    for (const point of points) expect(at.blanks.lay(at.root, KEY, point)).toBe(true);
    expect(statSync(at.place('.npmrc')).ino).toBe(points[0]?.inode);
    expect(readdirSync(at.workspace)).toEqual(['.npmrc', '.vscode']);
    expect(readdirSync(at.shelf)).toEqual([]);
  });

  it('stays where it is when somebody has used it, or gave it a second name', async () => {
    await using at = await ground();
    const [file, folder, twice] = [
      at.make('.npmrc', 'file'),
      at.make('.vscode', 'folder'),
      at.make('.envrc', 'file'),
    ];
    writeFileSync(at.place('.npmrc'), 'mine');
    writeFileSync(at.place('.vscode/tasks.json'), '{}');
    linkSync(at.place('.envrc'), at.place('other'));
    for (const point of [file, folder, twice]) {
      expect(at.blanks.putAway(at.root, KEY, point)).toBe(false);
    }
    const left = ['.envrc', '.npmrc', '.vscode', 'other'];
    expect(readdirSync(at.workspace).toSorted()).toEqual(left);
  });

  it('is thrown away when whoever had it open wrote to it meanwhile', async () => {
    await using at = await ground();
    const point = at.make('.npmrc', 'file');
    const open = openSync(at.place('.npmrc'), 'w');
    expect(at.blanks.putAway(at.root, KEY, point)).toBe(true);
    writeSync(open, 'late');
    closeSync(open);
    expect(at.blanks.find(at.wanted, [point])).toEqual([]);
    expect(readdirSync(at.shelf)).toEqual([]);
  });

  it('is laid over nothing that is there', async () => {
    await using at = await ground();
    const point = at.make('.npmrc', 'file');
    expect(at.blanks.putAway(at.root, KEY, point)).toBe(true);
    writeFileSync(at.place('.npmrc'), 'mine');
    expect(at.blanks.lay(at.root, KEY, point)).toBe(false);
    expect(statSync(at.place('.npmrc')).size).toBe(4);
  });

  it('is of the owner of the workspace, or is not used again', async () => {
    await using at = await ground();
    const point = at.make('.npmrc', 'file');
    expect(at.blanks.putAway(at.root, KEY, point)).toBe(true);
    const owner = { ...at.wanted.owner, uid: at.wanted.owner.uid + 1 };
    expect(at.blanks.find({ ...at.wanted, owner }, [point])).toEqual([]);
  });

  it('is kept in numbers that end', async () => {
    await using at = await ground();
    for (let number = 0; number < 520; number += 1) {
      at.blanks.putAway(at.root, KEY, at.make(`name-${number}`, 'file'));
    }
    expect(readdirSync(at.shelf)).toHaveLength(512);
  });
});
