import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Generator } from '../generators/generator.ts';
import { checkGenerated } from './check-generated.ts';

const made = new Map([
  ['gen/a.ts', 'a'],
  ['gen/b.ts', 'b'],
]);
const generator: Generator = { owns: 'gen', render: () => made };

describe('checkGenerated', () => {
  it('likes files that are just as they would be made', async () => {
    expect(await findings({ 'gen/a.ts': 'a', 'gen/b.ts': 'b', 'other/c.ts': 'c' })).toEqual([]);
  });

  it.each([
    ['edited', { 'gen/a.ts': 'x', 'gen/b.ts': 'b' }, 'gen/a.ts', 'out of date'],
    ['missing', { 'gen/a.ts': 'a' }, 'gen/b.ts', 'missing'],
    ['left over', { 'gen/a.ts': 'a', 'gen/b.ts': 'b', 'gen/c.ts': '' }, 'gen/c.ts', 'left over'],
  ])('refuses a file that is %s', async (_, files, path, is) => {
    expect(await findings(files)).toEqual([{ path, says: `is ${is}; run \`npm run generate\`` }]);
  });

  it('refuses what cannot be made', async () => {
    const broken: Generator = {
      owns: 'gen',
      render: () => {
        throw new Error('no compiler');
      },
    };
    expect(await findings({}, broken)).toEqual([
      { path: 'gen', says: 'cannot be made: no compiler' },
    ]);
  });
});

async function findings(files: Readonly<Record<string, string>>, by: Generator = generator) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-generated-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  }
  return await checkGenerated(folder.path, [by]);
}
