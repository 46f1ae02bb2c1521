import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtempDisposable, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MountPoint } from '../open-in.ts';
import { directoryNumbers } from './folder-numbers.ts';
import { namedFiles } from './named-files.ts';
import { Overlooked } from './overlooked.ts';

async function ground() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'palyra-overlooked-'));
  const workspace = await realpath(folder.path);
  const at = (path: string) => join(workspace, path);
  writeFileSync(at('a.txt'), 'mine');
  mkdirSync(at('sub'));
  const points: MountPoint[] = [];
  /** As a sandbox does it, which notes what it has made. */
  const mask = (path: string, kind: MountPoint['kind']) => {
    if (kind === 'file') writeFileSync(at(path), '');
    else mkdirSync(at(path));
    // A time that can be put back to the last bit.
    utimesSync(at(path), 1000, 1000);
    const { dev: device, ino: inode, mtimeMs: changedMs } = lstatSync(at(path));
    points.push({ path, kind, device, inode, changedMs });
  };
  const shown = (...args: readonly string[]) => {
    const overlooked = new Overlooked(() => [...points]);
    return namedFiles({ command: 'ls', args: [...args] }, workspace, overlooked);
  };
  const startsIn = (path: string) =>
    directoryNumbers(workspace, path, new Overlooked(() => points));
  const dispose = () => folder[Symbol.asyncDispose]();
  return { workspace, at, points, mask, shown, startsIn, [Symbol.asyncDispose]: dispose };
}

const NAMED = ['.', 'sub', '.npmrc', '.vscode', 'link'];

describe('what is only there for masks', () => {
  it('is not there for a yes, by whatever name, nor as a place to start in', async () => {
    await using here = await ground();
    symlinkSync('.npmrc', here.at('link'));
    const before = here.shown(...NAMED);
    expect(before.map(({ name }) => name)).toEqual(['.', 'sub']);
    here.mask('.npmrc', 'file');
    here.mask('.vscode', 'folder');
    here.mask('sub/HEAD', 'file');
    expect(here.shown(...NAMED)).toEqual(before);
    expect(here.startsIn('.vscode')).toBe('');
    rmSync(here.at('.vscode'), { recursive: true });
    expect(here.shown(...NAMED)).toEqual(before);
  });

  const USES: readonly (readonly [string, (at: (path: string) => string) => void])[] = [
    ['is written', (at) => writeFileSync(at('.npmrc'), 'x')],
    ['is touched', (at) => utimesSync(at('.npmrc'), 7, 7)],
    ['has a second name', (at) => linkSync(at('.npmrc'), at('twin'))],
    ['has another name', (at) => renameSync(at('.npmrc'), at('other'))],
    ['is another empty one', (at) => exchange(at, '.npmrc')],
    ['is a link', (at) => link(at, '.npmrc')],
    ['is a folder where a file was', (at) => intoFolder(at)],
    ['is filled', (at) => writeFileSync(at('.vscode/x'), '')],
    ['is filled, and its time put back', (at) => fillSecretly(at)],
    ['is a link where a folder was', (at) => link(at, '.vscode')],
  ];
  it.each(USES)('counts like all else as soon as it %s', async (_what, use) => {
    await using here = await ground();
    here.mask('.npmrc', 'file');
    here.mask('.vscode', 'folder');
    const before = here.shown('.');
    use(here.at);
    expect(here.shown('.')).not.toEqual(before);
  });

  it('is known also when it was made, or taken away, while somebody looked', async () => {
    await using here = await ground();
    const before = here.shown('.');
    here.mask('.npmrc', 'file');
    const noted = here.points.splice(0);
    const seen = (reads: readonly (readonly MountPoint[])[]) => {
      const left = [...reads];
      const overlooked = new Overlooked(() => left.shift() ?? []);
      return namedFiles({ command: 'ls', args: ['.'] }, here.workspace, overlooked);
    };
    expect(seen([])).not.toEqual(before);
    expect(seen([[], noted])).toEqual(before);
    expect(seen([noted, []])).toEqual(before);
  });

  it('takes no room from what is looked at, and does not count where not all can be', async () => {
    await using here = await ground();
    for (let place = 0; place < 1997; place += 1) writeFileSync(here.at(`sub/${place}`), 'x');
    const full = here.shown('.');
    expect(full).toMatchObject([{ notBound: '' }]);
    for (const name of ['HEAD', '.npmrc', '.envrc']) here.mask(name, 'file');
    expect(here.shown('.')).toEqual(full);
    for (let place = 0; place < 9; place += 1) writeFileSync(here.at(`sub/more-${place}`), 'x');
    const over = here.shown('.');
    expect(over).toMatchObject([{ notBound: 'there are too many names in it' }]);
    here.mask('.vscode', 'folder');
    rmSync(here.at('HEAD'));
    expect(here.shown('.')).toEqual(over);
    writeFileSync(here.at('new'), '');
    expect(here.shown('.')).not.toEqual(over);
    rmSync(here.at('new'));
    expect(here.shown('.')).toEqual(over);
    writeFileSync(here.at('a.txt'), 'other');
    expect(here.shown('.')).not.toEqual(over);
  });

  it.runIf(process.getuid?.() !== 0)('does not count beside what nobody may read', async () => {
    await using here = await ground();
    chmodSync(here.at('sub'), 0);
    const before = here.shown('.');
    expect(before).toMatchObject([{ notBound: 'not all in it can be looked at' }]);
    here.mask('.npmrc', 'file');
    expect(here.shown('.')).toEqual(before);
    writeFileSync(here.at('new'), '');
    expect(here.shown('.')).not.toEqual(before);
    chmodSync(here.at('sub'), 0o755);
  });
});

type At = (path: string) => string;

function exchange(at: At, path: string): void {
  writeFileSync(at('draft'), '');
  renameSync(at('draft'), at(path));
}

function link(at: At, path: string): void {
  rmSync(at(path), { recursive: true });
  symlinkSync('a.txt', at(path));
}

function intoFolder(at: At): void {
  rmSync(at('.npmrc'));
  mkdirSync(at('.npmrc'));
}

function fillSecretly(at: At): void {
  writeFileSync(at('.vscode/x'), '');
  utimesSync(at('.vscode'), 1000, 1000);
}
