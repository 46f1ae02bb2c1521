import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writePrivately } from './private-output.ts';

const tempFolder = () => mkdtempDisposable(join(tmpdir(), 'palyra output '));
const refusal = (message: string) => ({
  code: 'INVALID_INPUT',
  message: expect.stringContaining(message),
  help: expect.stringContaining('`> FILE`'),
});

describe('writePrivately', () => {
  it('puts a file that only its owner reads in the place of an older one', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'file');
    writeFileSync(file, 'older');
    chmodSync(file, 0o644);
    await writePrivately(file, 'newer');
    expect(readFileSync(file, 'utf8')).toBe('newer');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(['file']);
  });

  it('leaves the older file as it is when the content breaks off, and says why', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'file');
    writeFileSync(file, 'older');
    await expect(writePrivately(file, breaksOff())).rejects.toThrow('the daemon went away');
    expect(readFileSync(file, 'utf8')).toBe('older');
    expect(readdirSync(folder.path)).toEqual(['file']);
  });

  it('is not kept from writing by what a stopped process has left', async () => {
    await using folder = await tempFolder();
    writeFileSync(join(folder.path, `.palyra-${process.pid}.partial`), 'half');
    await writePrivately(join(folder.path, 'file'), 'whole');
    expect(readdirSync(folder.path)).toEqual(['file']);
  });

  it.each([
    { is: 'a named pipe', make: (path: string) => execFileSync('mkfifo', [path]) },
    { is: 'a symbolic link', make: (path: string) => symlinkSync('target', path) },
    { is: 'a directory', make: (path: string) => mkdirSync(path) },
  ])('refuses $is, asks for no content and leaves it there', async ({ is, make }) => {
    await using folder = await tempFolder();
    writeFileSync(join(folder.path, 'target'), 'target');
    const path = join(folder.path, 'there');
    make(path);
    const before = lstatSync(path);
    await expect(writePrivately(path, breaksOff())).rejects.toMatchObject(refusal(`is ${is}`));
    expect(lstatSync(path)).toMatchObject({ ino: before.ino, mode: before.mode });
    expect(readFileSync(join(folder.path, 'target'), 'utf8')).toBe('target');
    expect(readdirSync(folder.path)).toEqual(['target', 'there']);
  });

  it.each([
    { name: 'gone/file', why: 'its directory does not exist' },
    { name: 'file/file', why: 'what should be its directory is a file' },
    { name: 'new/', why: 'names a directory' },
    { name: 'x'.repeat(300), why: 'ENAMETOOLONG' },
  ])('refuses a name where no file can be, and says $why', async ({ name, why }) => {
    await using folder = await tempFolder();
    writeFileSync(join(folder.path, 'file'), '');
    const written = writePrivately(`${folder.path}/${name}`, 'text');
    await expect(written).rejects.toMatchObject(refusal(why));
    expect(readdirSync(folder.path)).toEqual(['file']);
  });

  it('refuses an empty name', async () => {
    await expect(writePrivately('', 'text')).rejects.toMatchObject(refusal('is empty'));
  });
});

async function* breaksOff(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array([1]);
  await Promise.resolve();
  throw new Error('the daemon went away');
}
