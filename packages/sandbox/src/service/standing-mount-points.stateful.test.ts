import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { NO_INTENTION, Ledger } from '../tier-c-bubblewrap/guard/ledger.ts';
import { makeMountPoint } from '../tier-c-bubblewrap/guard/mount-point.ts';
import { openWorkspace } from '../tier-c-bubblewrap/workspace.ts';
import { standingMountPoints } from './standing-mount-points.ts';

/** The folder of sandboxes of a user; root's is the machine's, which a test leaves alone. */
function ground() {
  const folder = mkdtempSync(join(tmpdir(), 'palyra-standing-'));
  const user = vi.spyOn(process, 'geteuid').mockReturnValue(4711);
  const at = (...names: readonly string[]) => join(folder, ...names);
  const ledgerOf = (seat: string) => {
    mkdirSync(at('base', seat, 'ledger'), { recursive: true });
    return new Ledger(at('base', seat, 'ledger'));
  };
  const dispose = () => {
    user.mockRestore();
    rmSync(folder, { recursive: true, force: true });
  };
  return { base: at('base'), at, ledgerOf, [Symbol.dispose]: dispose };
}

describe('what masks lie on', () => {
  it('is told of as it was made, whoever made it', () => {
    using here = ground();
    mkdirSync(here.at('project'));
    using workspace = openWorkspace(here.at('project'));
    const file = makeMountPoint(workspace, 'AGENTS.md', 'file') ?? expect.fail('not made');
    const folder = makeMountPoint(workspace, '.vscode', 'folder') ?? expect.fail('not made');
    const page = { workspace: here.at('project'), intended: NO_INTENTION };
    here.ledgerOf('seat-0123456789abcdef').write('1-1', { ...page, points: [file] });
    here.ledgerOf('seat-fedcba9876543210').write('1-1', { ...page, points: [folder] });
    expect(standingMountPoints(here.base)).toEqual([file, folder]);
    const { dev, ino, mtimeMs } = statSync(here.at('project', 'AGENTS.md'));
    expect(file).toMatchObject({ device: dev, inode: ino, changedMs: mtimeMs });
  });

  it('is nothing where nobody made a sandbox', () => {
    using here = ground();
    expect(standingMountPoints(here.base)).toEqual([]);
    mkdirSync(here.at('base', 'seat-0123456789abcdef'), { recursive: true });
    expect(standingMountPoints(here.base)).toEqual([]);
  });

  it('is told of as soon as it stands there, while its making is not noted yet', () => {
    using here = ground();
    mkdirSync(here.at('project'));
    using workspace = openWorkspace(here.at('project'));
    writeFileSync(here.at('project', 'used'), 'mine');
    const made = makeMountPoint(workspace, 'HEAD', 'file') ?? expect.fail('not made');
    const { birthtimeMs } = statSync(here.at('project', 'HEAD'));
    const names = ['HEAD', 'used', 'missing', 'no/where'];
    const points = names.map((path) => ({ path, kind: 'file' as const }));
    const noted = (key: string, sinceMs: number) => {
      const intended = { sinceMs, points };
      const page = { workspace: here.at('project'), points: [], intended };
      here.ledgerOf('seat-0123456789abcdef').write(key, page);
      return standingMountPoints(here.base);
    };
    const { dev, ino } = statSync(here.at('project'));
    expect(noted(`${dev}-${ino}`, birthtimeMs)).toEqual([made]);
    expect(noted(`${dev}-${ino}`, birthtimeMs + 1)).toEqual([]);
    here.ledgerOf('seat-0123456789abcdef').erase(`${dev}-${ino}`);
    expect(noted('1-1', birthtimeMs)).toEqual([]);
  });

  it('is not told of by what is intended where nothing is, half written, damaged or elsewhere', () => {
    using here = ground();
    const page = { workspace: '/w', intended: NO_INTENTION };
    const point = { path: 'HEAD', kind: 'file', device: 1, inode: 2, changedMs: 3 } as const;
    const ledger = here.ledgerOf('seat-0123456789abcdef');
    ledger.write('1-1', { ...page, points: [], intended: { sinceMs: 0, points: [point] } });
    here.ledgerOf('elsewhere').write('1-1', { ...page, points: [point] });
    const inLedger = (name: string) => here.at('base', 'seat-0123456789abcdef', 'ledger', name);
    writeFileSync(inLedger('1-2.json.new'), JSON.stringify({ ...page, points: [point] }));
    writeFileSync(inLedger('1-3.json'), '{"workspace":');
    expect(standingMountPoints(here.base)).toEqual([]);
  });
});
