import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSiteFiles } from './site-files.ts';

async function site() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'palyra-site-'));
  await mkdir(join(folder.path, 'assets'));
  await writeFile(join(folder.path, 'index.html'), '<!doctype html>');
  await writeFile(join(folder.path, 'assets/a-1.js'), 'export {}');
  await writeFile(join(folder.path, 'assets/a-1.js.br'), 'small');
  await writeFile(join(folder.path, 'notes.txt'), 'not for browsers');
  await symlink('/etc/hostname', join(folder.path, 'host.html'));
  return folder;
}

describe('the files of the console', () => {
  it('are found by their address, with their type and their compressed form', async () => {
    await using folder = await site();
    const files = createSiteFiles(folder.path);
    const script = await files.find('/assets/a-1.js');
    expect(script).toMatchObject({ type: 'text/javascript; charset=utf-8', isForever: true });
    if (script === undefined) throw new TypeError('there is none');
    expect(Buffer.from(await files.read(script, 'brotli')).toString()).toBe('small');
    expect(Buffer.from(await files.read(script, 'plain')).toString()).toBe('export {}');
    expect(await files.find('/index.html')).toMatchObject({ isForever: false, brotli: undefined });
  });

  it.each([
    '/',
    '/assets/../index.html',
    '/../index.html',
    '/assets/a-1.js.br',
    '/assets/a-1.js/',
    '/assets%2fa-1.js',
    '/notes.txt',
    '/host.html',
    '/assets',
    '//index.html',
    '/index.html\\0',
  ])('are nothing else: %j', async (path) => {
    await using folder = await site();
    expect(await createSiteFiles(folder.path).find(path)).toBeUndefined();
  });

  it('may be built after they were first asked for', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-site-'));
    const files = createSiteFiles(join(folder.path, 'console'));
    expect(await files.find('/index.html')).toBeUndefined();
    await mkdir(join(folder.path, 'console'));
    await writeFile(join(folder.path, 'console/index.html'), '');
    expect(await files.find('/index.html')).toBeDefined();
  });
});
