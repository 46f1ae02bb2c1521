import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveExecutable } from './executable.ts';
import { SeenPrograms } from './seen-programs.ts';

let folder = '';
let workspace = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palyra-executable-'));
  workspace = openSync(folder, 0o10000000);
});
afterEach(() => {
  closeSync(workspace);
  rmSync(folder, { recursive: true });
});

function put(name: string, text: string, mode = 0o755): void {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), mode);
}

function resolve(name: string, directory = '.'): string {
  const roots = [
    { kind: 'bind', path: '/usr' },
    { kind: 'link', path: '/bin', target: 'usr/bin' },
  ] as const;
  const seen = new SeenPrograms();
  return resolveExecutable({ roots, workspaceAt: '/workspace', workspace, seen }, name, directory);
}

describe('a program', () => {
  it('by its bare name is found where the system has programs, never in the workspace', () => {
    put('sh', '#!/bin/sh\n');
    expect(resolve('sh')).toBe('/usr/bin/sh');
    expect(() => resolve('no-such-program')).toThrow('the program `no-such-program` is not there');
  });

  it('by its path is found from the folder of the command', () => {
    mkdirSync(join(folder, 'sub'));
    put('sub/run', '#!/bin/sh\n');
    expect(resolve('./run', 'sub')).toBe('/workspace/sub/run');
    expect(resolve('/workspace/sub/run')).toBe('/workspace/sub/run');
  });

  it('is looked for as inside: a link to the host leads nowhere', () => {
    symlinkSync(process.execPath, join(folder, 'host-node'));
    symlinkSync('/bin/sh', join(folder, 'shell'));
    symlinkSync('loop', join(folder, 'loop'));
    put('../outside', '#!/bin/sh\n');
    expect(() => resolve('./host-node')).toThrow('is not there');
    expect(resolve('./shell')).toBe('/workspace/shell');
    expect(() => resolve('./loop')).toThrow('is not there');
    expect(() => resolve('../outside')).toThrow('is not there');
    rmSync(join(folder, '../outside'));
  });

  it('whose interpreter is missing says which', () => {
    put('script', '#! /opt/none -x\n');
    expect(() => resolve('./script')).toThrow(
      'asks for the interpreter `/opt/none`, which is not there',
    );
  });

  it('that is no program says why', () => {
    mkdirSync(join(folder, 'folder'));
    put('text', 'x', 0o644);
    expect(() => resolve('./folder')).toThrow('is a folder');
    expect(() => resolve('./text')).toThrow('is not executable');
    expect(() => resolve('/dev/null')).toThrow('is not there');
    expect(() => resolve(`./${'x'.repeat(5000)}`)).toThrow('is not there');
  });
});
