import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Workspace, openWorkspace } from '../tier-c-bubblewrap/workspace.ts';
import { readingsOf } from './readings.ts';
import { type Scope, checkScope, placeInside } from './scope.ts';

let folder = '';
let workspace: Workspace;
let scope: Scope;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palyra-scope-'));
  const path = join(folder, 'workspace');
  mkdirSync(join(path, 'sub'), { recursive: true });
  writeFileSync(join(folder, 'outside'), 'x');
  writeFileSync(join(path, 'inside'), 'x');
  workspace = openWorkspace(path);
  scope = {
    workspace: workspace.descriptor,
    path,
    directory: 'sub',
    guard: { exceptions: ['fake.key'] },
  };
});
afterEach(() => {
  closeSync(workspace.descriptor);
  rmSync(folder, { recursive: true });
});

describe('the readings of a word', () => {
  it.each([
    ['--out=a/b', 'a/b'],
    ['-Wl,-rpath=/x', '/x'],
    ['-I/usr', '/usr'],
    ['-abc../x', '../x'],
    ['-olink', 'link'],
    ['@@/x', '/x'],
    ['key=@/x', '/x'],
    ['user@host:/x', '/x'],
    ['file:///x', '///x'],
    ['"/x"', '/x'],
    ['(/x)', '/x'],
    ['+/x', '/x'],
    ['%2Fx', '/x'],
    ['a%20b/%2e%2e', 'a b/..'],
    ['%C5%BE', 'ž'],
    ['s|/x|y|', '/x'],
    ['https://a.example,/x', '/x'],
    ['https:///x', '///x'],
  ])('of %j has %j', (word, reading) => {
    expect(readingsOf(word)).toContain(reading);
  });

  it('do not take an address of the web, a part of a path or a lone dash for a path', () => {
    expect(readingsOf('https://a.example:8080/x/y?z=/w')).toEqual([
      'https://a.example:8080/x/y?z=/w',
    ]);
    expect(readingsOf('src/main.c')).toEqual(['src/main.c']);
    expect(readingsOf('--')).toEqual([]);
    expect(readingsOf('-')).toEqual([]);
  });
});

describe('the workspace', () => {
  it('holds what lies in it, exists or not, from the folder where the command starts', () => {
    expect(placeInside(scope, '../inside')).toBe('inside');
    expect(placeInside(scope, 'new/deep')).toBe('sub/new/deep');
    expect(placeInside(scope, `${scope.path}/inside`)).toBe('inside');
    expect(placeInside(scope, `${scope.path}//./sub/..`)).toBe('.');
  });

  it.each([
    '../../outside',
    '/',
    '..//..',
    'new/../../..',
    '../inside/../../..',
    '~',
    '/proc/self/cwd',
  ])('does not hold %j', (path) => {
    expect(() => placeInside(scope, path)).toThrow(/leads out of the workspace/);
  });

  it('does not hold a folder beside it whose name begins alike', () => {
    expect(() => placeInside(scope, `${scope.path}-other/x`)).toThrow(/leads out/);
    expect(() => placeInside(scope, `${scope.path}/../workspace/inside`)).not.toThrow(/ENOENT/);
    expect(() => placeInside(scope, `${scope.path}/../outside`)).toThrow(/leads out/);
  });

  it('follows links step by step and never out of itself', () => {
    symlinkSync('../inside', join(scope.path, 'sub/relative'));
    symlinkSync(join(scope.path, 'inside'), join(scope.path, 'sub/absolute'));
    symlinkSync('../../outside', join(scope.path, 'sub/out'));
    symlinkSync('../..', join(scope.path, 'sub/up'));
    symlinkSync('missing/../../..', join(scope.path, 'sub/dangling'));
    expect(placeInside(scope, 'relative')).toBe('inside');
    expect(placeInside(scope, 'absolute')).toBe('inside');
    for (const name of ['out', 'up', 'up/workspace/inside', 'dangling']) {
      expect(() => placeInside(scope, name)).toThrow(/leads out/);
    }
  });

  it('tells when what a word names was exchanged after the first look', () => {
    const before = checkScope(scope, ['--in=../inside']);
    expect(checkScope(scope, ['--in=../inside'])).toBe(before);
    unlinkSync(join(scope.path, 'inside'));
    expect(checkScope(scope, ['--in=../inside'])).not.toBe(before);
    symlinkSync('../outside', join(scope.path, 'inside'));
    expect(() => checkScope(scope, ['--in=../inside'])).toThrow(/leads out/);
  });

  it('keeps what is there and looks like a secret, by whatever way', () => {
    for (const name of ['.env', 'server.key', 'fake.key'])
      writeFileSync(join(scope.path, name), 'x');
    symlinkSync('../.env', join(scope.path, 'sub/harmless'));
    for (const word of ['../.env', '--file=../server.key', 'harmless']) {
      expect(() => checkScope(scope, [word])).toThrow(/looks like a secret/);
    }
    expect(() => checkScope(scope, ['../fake.key', 'no-such.key', '.env'])).not.toThrow();
  });

  it('holds the streams and nothing else of the devices', () => {
    expect(() => checkScope(scope, ['/dev/null', '-o/dev/stdout'])).not.toThrow();
    expect(() => checkScope(scope, ['/dev/mem'])).toThrow(/leads out/);
  });
});
