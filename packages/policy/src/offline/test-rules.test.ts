import { mkdtempDisposable, writeFile } from 'node:fs/promises';
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

describe('a case that names what there is not', () => {
  const CASE = `
[[case]]
name = "one"
tool = "fs.raed"
expect = "deny"

[[case]]
name = "two"
source = "mcp"
tool = "mcp.x.y"
agent = "palrya"
expect = "deny"

[[case]]
name = "three"
source = "mcp"
tool = "mcp.x.y"
principal = "agent:helper"
expect = "deny"
`;

  it('is a problem of its file and line, and nothing is run', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-cases-'));
    await writeFile(join(folder.path, 'a.policytest.toml'), CASE);
    const { results, problems } = await testRules(folder.path, OPTIONS);
    expect(results).toEqual([]);
    expect(problems.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      '4: there is no tool `fs.raed`',
      '11: there is no agent `palrya`, only `palyra`',
      '18: there is no agent `helper`, only `palyra`',
    ]);
  });

  it('is one where the word is of a list, too', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-cases-'));
    const text = CASE.replace('tool = "fs.raed"', 'tool = "x"\ncapabilities = ["netwrok"]');
    await writeFile(join(folder.path, 'a.policytest.toml'), text);
    const { problems } = await testRules(folder.path, OPTIONS);
    expect(problems).toMatchObject([{ line: 5 }]);
    expect(problems[0]?.reason).toContain('capabilities');
  });
});
