import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import {
  type PolicyCandidate,
  PolicyCandidateSchema,
  PolicyCaseFileSchema,
} from '@palyra/protocol';
import { testGateway } from '@palyra/testkit';
import { beforeAll, describe, expect, it } from 'vitest';

const asking = { whose: 'ann', signal: new AbortController().signal };
const RULE =
  '@id("no-reading") @says("x")\nforbid (principal, action == Action::"tool.execute", resource == Tool::"fs.read");\n';
const CASE = `
[[case]]
name = "reading is off"
tool = "fs.read"
arguments = { path = "a.txt" }
expect = "deny"
rule = "no-reading"

[[case]]
name = "reading is on"
tool = "fs.read"
arguments = { path = "a.txt" }
expect = "allow"
`;

function files(...texts: readonly string[]): PolicyCandidate {
  const named = texts.map((text, at) => ({ name: `f${at}.cedar`, text }));
  return create(PolicyCandidateSchema, {
    candidate: { case: 'files', value: { files: named } },
  });
}

function caseFile(text: string) {
  return create(PolicyCaseFileSchema, { name: 'team.policytest.toml', text });
}

async function house() {
  const gateway = await testGateway({ rules: 'ask' });
  const folder = join(gateway.home.places.configDir, 'policies');
  return {
    folder,
    desk: gateway.parts.policyDesk,
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

let at: Awaited<ReturnType<typeof house>>;
beforeAll(async () => {
  at = await house();
  return () => at[Symbol.asyncDispose]();
});

describe('rules that are still being written', () => {
  it('are checked as an apply would check them, and nothing is stored', async () => {
    const before = at.desk.health();
    const checked = await at.desk.check(files(RULE), asking);
    expect(checked).toMatchObject({ problems: [], rules: 1 });
    expect(checked.policySetHash).toMatch(/^[0-9a-f]{64}$/);
    expect(at.desk.health()).toEqual(before);
    expect(existsSync(at.folder)).toBe(false);
  });

  it('have each mistake told with its file, line and column', async () => {
    const { problems, rules } = await at.desk.check(
      files(RULE, 'permit (\n  principal,,\n);'),
      asking,
    );
    expect(rules).toBe(0);
    expect(problems).toMatchObject([{ file: 'f1.cedar', line: 2, column: 13 }]);
  });

  it('are not even looked at when they are more than a set may hold', async () => {
    const large = files(`// ${'x'.repeat(1024 * 1024)}`);
    await expect(at.desk.check(large, asking)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('are checked once at a time for each person', async () => {
    const first = at.desk.check(files(`${RULE}// more`), asking);
    await expect(at.desk.check(files(RULE), asking)).rejects.toMatchObject({ code: 'OVERLOADED' });
    await expect(first).resolves.toMatchObject({ problems: [] });
  });
});

describe('cases that come with rules', () => {
  it('are run against them and the built-in ones', async () => {
    const trial = { candidate: files(RULE), cases: [caseFile(CASE)] };
    const { results, caseFiles, folder } = await at.desk.test(trial, asking);
    expect(results).toMatchObject([
      { name: 'reading is off', line: 2, passed: true, ruleIds: ['no-reading'], difference: '' },
      { name: 'reading is on', line: 9, passed: false, expected: 'allow', got: 'deny' },
    ]);
    expect({ caseFiles, folder }).toEqual({ caseFiles: ['team.policytest.toml'], folder: '' });
  });

  it('are run by none of their lines when one is wrong', async () => {
    const trial = { candidate: files(RULE), cases: [caseFile('[[case]]\nname = 3\n')] };
    const { results, problems } = await at.desk.test(trial, asking);
    expect(results).toEqual([]);
    expect(problems[0]).toMatchObject({ file: 'team.policytest.toml', line: 2 });
  });

  it('are refused when they are too many for the gateway itself', async () => {
    const cases = [caseFile(`# ${'x'.repeat(256 * 1024)}`)];
    await expect(at.desk.test({ candidate: files(RULE), cases }, asking)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      help: '`palyra policy test` takes more',
    });
  });
});

describe("cases in the operator's folder", () => {
  it('are run when none come along, under the names that they have there', async () => {
    mkdirSync(join(at.folder, 'tests'), { recursive: true, mode: 0o700 });
    writeFileSync(join(at.folder, 'tests', 'team.policytest.toml'), CASE, { mode: 0o600 });
    const { results, folder } = await at.desk.test({ candidate: files(RULE), cases: [] }, asking);
    expect(results.map(({ file, passed }) => ({ file, passed }))).toEqual([
      { file: 'tests/team.policytest.toml', passed: true },
      { file: 'tests/team.policytest.toml', passed: false },
    ]);
    expect(folder).toBe(at.folder);
    expect(readdirSync(at.folder)).toEqual(['tests']);
  });
});

describe('a set that is shown', () => {
  it('comes with the texts of its files, layer by layer', async () => {
    const { files: shown, rules } = await at.desk.show('');
    expect(shown.length).toBeGreaterThan(5);
    for (const { layer, file } of rules) {
      expect(shown).toContainEqual(expect.objectContaining({ layer, name: file }));
    }
  });
});
