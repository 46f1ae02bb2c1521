import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkBrowser } from './check-browser.ts';

describe('checkBrowser', () => {
  it('likes a package that a browser can load', async () => {
    expect(await findings('export const a = 1;')).toEqual([]);
  });

  it.each([
    ['a part of Node', "export { readFileSync } from 'node:fs';", 'brings `node:fs`'],
    ['the same by its old name', "export { join } from 'path';", 'brings `path`'],
    [
      'a part of Node that is loaded late',
      "export const f = () => import('node:net');",
      'brings `node:net`',
    ],
    ['a package that is not there', "export * from 'gone';", 'Could not resolve "gone"'],
  ])('refuses %s', async (_, source, says) => {
    expect(await findings(source)).toEqual([{ path: 'box', says: expect.stringContaining(says) }]);
  });
});

async function findings(source: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-browser-'));
  const box = join(folder.path, 'node_modules/box');
  mkdirSync(box, { recursive: true });
  writeFileSync(join(box, 'package.json'), '{"name":"box","type":"module","exports":"./index.ts"}');
  writeFileSync(join(box, 'index.ts'), source);
  return await checkBrowser(folder.path, ['box']);
}
