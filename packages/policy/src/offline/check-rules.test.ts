import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkRules } from './check-rules.ts';

describe('a check of a file', () => {
  it('tells what a rule compares a fact with that it never is', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-check-'));
    const file = join(folder.path, 'a.cedar');
    await writeFile(
      file,
      [
        '@id("a")',
        '@says("x")',
        'forbid (principal, action == Action::"tool.execute", resource)',
        'when { context.reads.parts.contains("Secrets") };',
      ].join('\n'),
    );
    const tools = { names: new Set<string>(), prefixes: [] };
    const options = { layer: 'operator', mode: 'ask', tools } as const;
    expect(await checkRules([file], options)).toMatchObject({
      rules: 0,
      problems: [{ file, line: 4, column: 37, help: 'write `secrets`' }],
    });
  });
});

describe('a check of a folder', () => {
  it('says that there is no rule in it rather than that none is wrong', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-check-'));
    const tools = { names: new Set<string>(), prefixes: [] };
    const options = { layer: 'operator', mode: 'ask', tools } as const;
    expect(await checkRules([folder.path], options)).toMatchObject({
      rules: 0,
      problems: [{ file: folder.path, reason: 'there is no `.cedar` file in it' }],
    });
  });

  it('says what would be passed over if it were the folder of a layer', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-check-'));
    await writeFile(join(folder.path, 'a.cedar'), '');
    await writeFile(join(folder.path, 'B.CEDAR'), '');
    await mkdir(join(folder.path, 'more'));
    await mkdir(join(folder.path, 'tests'));
    const tools = { names: new Set<string>(), prefixes: [] };
    const options = { layer: 'operator', mode: 'ask', tools } as const;
    const { problems } = await checkRules([folder.path], options);
    expect(problems.map(({ file }) => file).toSorted()).toEqual([
      join(folder.path, 'B.CEDAR'),
      join(folder.path, 'more'),
    ]);
  });
});
