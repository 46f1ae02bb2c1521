import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
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
import { Blanks, sweepBlanks } from './blanks.ts';
import type { MountPoint } from './mount-point.ts';

const libc = openLibc();

async function ground() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'palyra-blanks-'));
  const [workspace, shelf] = [join(folder.path, 'workspace'), join(folder.path, 'shelf')];
  for (const path of [workspace, shelf]) mkdirSync(path);
  const root = openSync(workspace, 'r');
  const { uid, gid, dev, ino } = statSync(workspace);
  const home = { key: `${dev}-${ino}`, path: workspace };
  const place = (path: string) => join(workspace, path);
  const make = (path: string, kind: MountPoint['kind']): MountPoint => {
    if (kind === 'file') writeFileSync(place(path), '');
    else mkdirSync(place(path));
    const { dev: device, ino: inode, mtimeMs: changedMs } = statSync(place(path));
    return { path, kind, device, inode, changedMs };
  };
  const wanted = { key: home.key, owner: { uid, gid } };
  const dispose = async () => {
    closeSync(root);
    await folder[Symbol.asyncDispose]();
  };
  const blanks = new Blanks(libc, shelf);
  return {
    blanks,
    root,
    shelf,
    home,
    workspace,
    place,
    make,
    wanted,
    [Symbol.asyncDispose]: dispose,
  };
}

describe('what masks lay on', () => {
  it('goes back to its own name, the same one', async () => {
    await using at = await ground();
    const points = [at.make('.envrc', 'file'), at.make('.npmrc', 'file')];
    for (const point of points) expect(at.blanks.putAway(at.root, at.home, point)).toBe(true);
    expect(readdirSync(at.workspace)).toEqual([]);
    expect(at.blanks.find({ ...at.wanted, key: 'another' }, points)).toEqual([]);
    expect(at.blanks.find(at.wanted, points)).toEqual(points);
    for (const point of points) expect(at.blanks.lay(at.root, at.home.key, point)).toBe(true);
    expect(statSync(at.place('.npmrc')).ino).toBe(points[1]?.inode);
    expect(readdirSync(at.workspace).toSorted()).toEqual(['.envrc', '.npmrc']);
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
      expect(at.blanks.putAway(at.root, at.home, point)).toBe(false);
    }
    const left = ['.envrc', '.npmrc', '.vscode', 'other'];
    expect(readdirSync(at.workspace).toSorted()).toEqual(left);
  });

  it('is another folder than the one that somebody may stand in', async () => {
    await using at = await ground();
    const point = at.make('.github', 'folder');
    const { mode, uid, gid } = statSync(at.place('.github'));
    const stood = openSync(at.place('.github'), 'r');
    expect(at.blanks.putAway(at.root, at.home, point)).toBe(true);
    expect(() => writeFileSync(`/proc/self/fd/${stood}/mine`, '')).toThrow('ENOENT');
    expect(readdirSync(at.workspace)).toEqual([]);
    const [found] = at.blanks.find(at.wanted, [point]);
    expect(found).toMatchObject({ path: '.github', kind: 'folder', device: point.device });
    expect(found?.inode).not.toBe(point.inode);
    expect(found && at.blanks.lay(at.root, at.home.key, found)).toBe(true);
    expect(statSync(at.place('.github'))).toMatchObject({ ino: found?.inode, mode, uid, gid });
    expect(readdirSync(at.shelf)).toEqual([]);
    closeSync(stood);
  });

  it('stays where it is when it was filled before anybody noted its time', async () => {
    await using at = await ground();
    at.make('.github', 'folder');
    writeFileSync(at.place('.github/mine'), '');
    const { mtimeMs: changedMs, dev: device, ino: inode } = statSync(at.place('.github'));
    const point = { path: '.github', kind: 'folder', device, inode, changedMs } as const;
    expect(at.blanks.putAway(at.root, at.home, point)).toBe(false);
    expect(readdirSync(at.place('.github'))).toEqual(['mine']);
  });

  it.each(['needed', 'over', 'too many'])(
    'is given back with what somebody wrote to it meanwhile, when it is %s',
    async (when) => {
      await using at = await ground();
      const point = at.make('.npmrc', 'file');
      const open = openSync(at.place('.npmrc'), 'a');
      expect(at.blanks.putAway(at.root, at.home, point)).toBe(true);
      writeSync(open, 'late');
      closeSync(open);
      if (when === 'needed') expect(at.blanks.find(at.wanted, [point])).toEqual([]);
      else if (when === 'over') at.blanks[Symbol.dispose]();
      else putAwayMany(at);
      expect(readFileSync(at.place('.npmrc'), 'utf8')).toBe('late');
    },
  );

  it('is kept with what somebody wrote to it when its name was taken, whoever comes next', async () => {
    await using at = await ground();
    const points = [at.make('.npmrc', 'file'), at.make('.envrc', 'file')];
    const open = openSync(at.place('.npmrc'), 'a');
    for (const point of points) at.blanks.putAway(at.root, at.home, point);
    writeSync(open, 'late');
    closeSync(open);
    writeFileSync(at.place('.npmrc'), 'mine');
    at.blanks[Symbol.dispose]();
    // Such as what was exchanged for a mask at the very moment.
    mkdirSync(join(at.shelf, 'folder', 'below'), { recursive: true });
    expect(new Blanks(libc, at.shelf).find(at.wanted, points)).toEqual([]);
    expect(readFileSync(at.place('.npmrc'), 'utf8')).toBe('mine');
    expect(readFileSync(join(at.shelf, '1'), 'utf8')).toBe('late');
    expect(sweepBlanks(at.shelf)).toEqual([join(at.shelf, '1'), join(at.shelf, 'folder')]);
    expect(readdirSync(join(at.shelf, 'folder'))).toEqual(['below']);
  });

  it('is laid over nothing that is there', async () => {
    await using at = await ground();
    const point = at.make('.npmrc', 'file');
    expect(at.blanks.putAway(at.root, at.home, point)).toBe(true);
    writeFileSync(at.place('.npmrc'), 'mine');
    expect(at.blanks.lay(at.root, at.home.key, point)).toBe(false);
    expect(statSync(at.place('.npmrc')).size).toBe(4);
  });

  it('is of the owner of the workspace, or is not used again', async () => {
    await using at = await ground();
    const point = at.make('.npmrc', 'file');
    expect(at.blanks.putAway(at.root, at.home, point)).toBe(true);
    const owner = { ...at.wanted.owner, uid: at.wanted.owner.uid + 1 };
    expect(at.blanks.find({ ...at.wanted, owner }, [point])).toEqual([]);
  });

  it('is kept in numbers that end', async () => {
    await using at = await ground();
    putAwayMany(at);
    expect(readdirSync(at.shelf)).toHaveLength(512);
    at.blanks[Symbol.dispose]();
    expect(readdirSync(at.shelf)).toEqual([]);
  });
});

function putAwayMany(at: Awaited<ReturnType<typeof ground>>): void {
  for (let number = 0; number < 520; number += 1) {
    at.blanks.putAway(at.root, at.home, at.make(`name-${number}`, 'file'));
  }
}
