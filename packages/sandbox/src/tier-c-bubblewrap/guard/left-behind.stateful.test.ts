import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLibc } from '../../libc.ts';
import { takeSeat } from '../../service/seat.ts';
import { Ledger, type Page } from './ledger.ts';
import type { MountPoint } from './mount-point.ts';
import { MountPoints } from './mount-points.ts';
import { WorkspaceLock } from './workspace-lock.ts';

const libc = openLibc();

/** A workspace and the ledger of a process that has ended at once. */
async function ground() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'palyra-left-'));
  const workspace = join(folder.path, 'workspace');
  const seat = join(folder.path, 'base', 'seat-0123456789abcdef');
  mkdirSync(workspace);
  mkdirSync(join(seat, 'ledger'), { recursive: true });
  const { dev, ino } = statSync(workspace);
  const note = (page: Omit<Page, 'workspace'>) =>
    new Ledger(join(seat, 'ledger')).write(`${dev}-${ino}`, { workspace, ...page });
  return { folder, workspace, ledger: join(seat, 'ledger'), base: join(folder.path, 'base'), note };
}

function pointAt(workspace: string, path: string): MountPoint {
  const { dev: device, ino: inode, mtimeMs: changedMs } = statSync(join(workspace, path));
  return { path, kind: 'file', device, inode, changedMs };
}

/** As whoever has a sandbox in there holds it. */
function shareOf(workspace: string): WorkspaceLock {
  const folder = openSync(workspace, 'r');
  const lock = new WorkspaceLock(libc, folder);
  closeSync(folder);
  expect(lock.tryShare()).toBe(true);
  return lock;
}

it('what a sudden end left half made is taken away, and nothing that was there before', async () => {
  const { folder, workspace, ledger, note } = await ground();
  await using _folder = folder;
  writeFileSync(join(workspace, '.npmrc'), '');
  const sinceMs = statSync(join(workspace, '.npmrc')).birthtimeMs + 0.001;
  await expect
    .poll(() => {
      // Made anew each time: only its birth tells that the clock has moved on.
      rmSync(join(workspace, 'probe'), { force: true });
      writeFileSync(join(workspace, 'probe'), '');
      return statSync(join(workspace, 'probe')).birthtimeMs > sinceMs;
    })
    .toBe(true);
  writeFileSync(join(workspace, '.envrc'), '');
  writeFileSync(join(workspace, '.yarnrc'), 'mine');
  mkdirSync(join(workspace, '.vscode'));
  const files = ['.envrc', '.npmrc', '.yarnrc', '.bazelrc'];
  const intended = [
    ...files.map((path) => ({ path, kind: 'file' as const })),
    { path: '.vscode', kind: 'folder' as const },
  ];
  note({ points: [], intended: { sinceMs, points: intended } });
  new MountPoints({ libc, folder: ledger, lingerMs: 0 })[Symbol.dispose]();
  expect(readdirSync(workspace).toSorted()).toEqual(['.npmrc', '.yarnrc', 'probe']);
  expect(readdirSync(ledger)).toEqual([]);
});

it('what one had to leave because of another is taken away while that one lives, too', async () => {
  const { folder, workspace, base, note } = await ground();
  await using _folder = folder;
  using _seat = takeSeat(base, 10);
  const lock = shareOf(workspace);
  mkdirSync(join(base, 'seat-0123456789abcdef', 'ledger'), { recursive: true });
  writeFileSync(join(workspace, '.envrc'), '');
  note({ points: [pointAt(workspace, '.envrc')], intended: { sinceMs: 0, points: [] } });
  lock[Symbol.dispose]();
  await expect.poll(() => readdirSync(workspace)).toEqual([]);
  await expect.poll(() => readdirSync(base)).toHaveLength(1);
});

it('what one had to leave because of another is taken away when that one ends', async () => {
  const { folder, workspace, base, note } = await ground();
  await using _folder = folder;
  const seat = takeSeat(base);
  mkdirSync(join(base, 'seat-0123456789abcdef', 'ledger'), { recursive: true });
  writeFileSync(join(workspace, '.envrc'), '');
  note({ points: [pointAt(workspace, '.envrc')], intended: { sinceMs: 0, points: [] } });
  seat[Symbol.dispose]();
  expect(readdirSync(workspace)).toEqual([]);
});

it('what an earlier version noted is taken away as well', async () => {
  const { folder, workspace, ledger } = await ground();
  await using _folder = folder;
  writeFileSync(join(workspace, '.envrc'), '');
  const { changedMs: _unknown, ...point } = pointAt(workspace, '.envrc');
  const { dev, ino } = statSync(workspace);
  const page = { workspace, points: [point], intended: { sinceMs: 0, points: [] } };
  writeFileSync(join(ledger, `${dev}-${ino}.json`), JSON.stringify(page));
  new MountPoints({ libc, folder: ledger, lingerMs: 0 })[Symbol.dispose]();
  expect(readdirSync(workspace)).toEqual([]);
});
