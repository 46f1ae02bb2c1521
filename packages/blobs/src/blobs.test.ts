import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBlobs } from './blobs.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'palyra-blobs-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const bytes = (text: string) => new TextEncoder().encode(text);
const open = (maxBytes = 100) => openBlobs({ folder: join(home, 'blobs'), maxBytes });

it('keeps bytes by their hash, once, and gives pages of them', async () => {
  const blobs = open();
  const id = await blobs.put(bytes('hello'));
  expect(id).toBe(createHash('sha256').update('hello').digest('hex'));
  expect(await blobs.put(bytes('hello'))).toBe(id);
  expect(await readdir(join(home, 'blobs'))).toEqual([id]);
  expect(Buffer.from((await blobs.get(id, 1, 3)) ?? []).toString()).toBe('ell');
  expect(Buffer.from((await blobs.get(id, 4, 10)) ?? []).toString()).toBe('o');
  expect(await blobs.get(id, 5, 10)).toHaveLength(0);
});

it('knows them again after a restart, and nobody else can read them', async () => {
  const id = await open().put(bytes('kept'));
  expect(await open().get(id, 0, 10)).toEqual(bytes('kept'));
  expect((await stat(join(home, 'blobs'))).mode & 0o777).toBe(0o700);
  expect((await stat(join(home, 'blobs', id))).mode & 0o777).toBe(0o600);
});

it.each(['../secret', '', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}/x`])(
  'has nothing by the name %j',
  async (name) => {
    expect(await open().get(name, 0, 10)).toBeUndefined();
  },
);

it('refuses what would be more than its bound, also after a restart', async () => {
  await open(10).put(bytes('12345678'));
  const again = open(10);
  await expect(again.put(bytes('abc'))).rejects.toMatchObject({ code: 'OVERLOADED' });
  await again.put(bytes('ab'));
  await expect(again.put(bytes('c'))).rejects.toMatchObject({ code: 'OVERLOADED' });
});
