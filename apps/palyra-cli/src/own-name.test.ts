import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownName } from './own-name.ts';

let folder = '';
let entryFile = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palyra-name-'));
  entryFile = await installedIn('checkout');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function installedIn(name: string): Promise<string> {
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, 'palyra'), '#!/bin/sh\n');
  await chmod(join(folder, name, 'palyra'), 0o755);
  return join(folder, name, 'dist/palyra.cjs');
}

describe('what to type for this program', () => {
  it('is its full path where no name leads to it', () => {
    const environment = { PATH: '/nonexistent:relative' };
    expect(ownName({ entryFile, environment })).toBe(`${folder}/checkout/palyra`);
  });

  it('is in quotes where the path has a space', async () => {
    const spaced = await installedIn('my gateway');
    expect(ownName({ entryFile: spaced, environment: {} })).toBe(`'${folder}/my gateway/palyra'`);
  });

  it('is its name where that leads to it, also through a link', async () => {
    await mkdir(join(folder, 'bin'));
    await symlink(join(folder, 'checkout/palyra'), join(folder, 'bin/palyra'));
    const environment = { PATH: `/nonexistent:${join(folder, 'bin')}` };
    expect(ownName({ entryFile, environment })).toBe('palyra');
  });

  it('is its full path where the name leads to another one first', async () => {
    const other = dirname(dirname(await installedIn('other')));
    const environment = { PATH: `${other}:${join(folder, 'checkout')}` };
    expect(ownName({ entryFile, environment })).toBe(`${folder}/checkout/palyra`);
  });

  it('is its name where there is no script to start it by', () => {
    const elsewhere = join(folder, 'nowhere/dist/palyra.cjs');
    expect(ownName({ entryFile: elsewhere, environment: {} })).toBe('palyra');
  });
});
