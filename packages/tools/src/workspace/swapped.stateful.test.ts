import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestWorkspace } from './workspace.fixture.ts';

const SWAPPER = fileURLToPath(new URL('swapper.fixture.ts', import.meta.url));
const TRIES = 150;

describe('while another process puts links in the place of files and folders', () => {
  let space: TestWorkspace;
  let swapper: ChildProcess;
  let outside: string;

  beforeEach(async () => {
    space = new TestWorkspace({ 'dir/file': 'inside\n', file: 'inside\n' });
    outside = join(space.root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'file'), 'SECRET\n');
    swapper = spawn(process.execPath, [SWAPPER, space.path, outside], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (swapper.stdout === null) throw new TypeError('no output');
    await once(swapper.stdout, 'data');
  });

  afterEach(async () => {
    const ended = once(swapper, 'exit');
    swapper.kill('SIGKILL');
    await ended;
    space[Symbol.dispose]();
  });

  it.each(['file', 'dir/file'])('fs.read of %s never gives what is outside', async (path) => {
    const outputs = new Set<string>();
    for (let tries = 0; tries < TRIES; tries += 1)
      outputs.add(await space.run('fs.read', { path }));
    for (const output of outputs) {
      expect(output).not.toContain('SECRET');
      expect(output).toMatch(
        /^(lines 1 to 1|the file is empty|NOT_FOUND: |SANDBOX_SCOPE_DENIED: )/,
      );
    }
  });

  it('fs.search and fs.list never see what is outside', async () => {
    writeFileSync(join(outside, 'only-outside'), 'SECRET\n');
    for (let tries = 0; tries < TRIES / 3; tries += 1) {
      expect(await space.run('fs.search', { text: 'SECRET' })).toMatch(/^0 lines found/);
      expect(await space.run('fs.list', { depth: 4 })).not.toContain('only-outside');
    }
  });

  it.each(['file', 'dir/file', 'dir/made'])('fs.write to %s never writes outside', async (path) => {
    const write = { path, content: 'agent\n', mode: 'replace' };
    for (let tries = 0; tries < TRIES / 2; tries += 1) await space.run('fs.write', write);
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('SECRET\n');
    expect(readdirSync(outside)).toEqual(['file']);
  });

  it('fs.patch never writes outside', async () => {
    const patch = '--- a/dir/file\n+++ b/dir/file\n@@ -1 +1 @@\n-inside\n+agent\n';
    const back = '--- a/dir/file\n+++ b/dir/file\n@@ -1 +1 @@\n-agent\n+inside\n';
    for (let tries = 0; tries < TRIES / 2; tries += 1) {
      await space.run('fs.patch', { patch });
      await space.run('fs.patch', { patch: back });
    }
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('SECRET\n');
    expect(readdirSync(outside)).toEqual(['file']);
  });
});
