import { execFileSync } from 'node:child_process';
import { mkdir, mkdtempDisposable, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readImages } from './prompt-images.ts';

const opened = () => mkdtempDisposable(join(tmpdir(), 'palyra-images-'));

describe('images of a prompt', () => {
  it('are read whole, with the type that their name tells', async () => {
    await using folder = await opened();
    const path = join(folder.path, 'a.PNG');
    await writeFile(path, new Uint8Array([1, 2, 3]));
    expect(await readImages([path])).toEqual([
      { mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) },
    ]);
  });

  it('are not waited for when a name is that of a pipe', async () => {
    await using folder = await opened();
    const path = join(folder.path, 'fifo.png');
    execFileSync('mkfifo', [path]);
    await expect(readImages([path])).rejects.toThrow('is not a file');
  });

  it.each([
    ['no image', 'a.txt', 'is not known as an image'],
    ['not there', 'none.png', 'cannot open'],
    ['a folder', 'folder.png', 'is not a file'],
    ['too large', 'large.png', 'is larger than 5242880 bytes'],
  ])('are refused: %s', async (_what, name, why) => {
    await using folder = await opened();
    await mkdir(join(folder.path, 'folder.png'));
    await writeFile(join(folder.path, 'large.png'), '');
    await truncate(join(folder.path, 'large.png'), 5 * 1024 ** 2 + 1);
    await expect(readImages([join(folder.path, name)])).rejects.toThrow(why);
  });

  it('are at most eight', async () => {
    await expect(readImages(Array.from({ length: 9 }, () => 'a.png'))).rejects.toThrow('9 images');
  });
});
