import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testRules } from './test-rules.ts';

const OPTIONS = {
  mode: 'ask',
  tools: { names: new Set<string>(), prefixes: [] },
  catalogue: { find: () => undefined },
} as const;

describe('a folder without cases', () => {
  it('has no results, and is named; nothing is wrong with it', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-cases-'));
    const { path } = folder;
    expect(await testRules(path, OPTIONS)).toEqual({ folder: path, results: [], problems: [] });
    const gone = join(path, 'gone');
    expect(await testRules(gone, OPTIONS)).toEqual({ folder: gone, results: [], problems: [] });
  });
});
