import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkRules, formatRules, testRules } from '@palyra/policy';
import { createCatalogue } from '@palyra/tools';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { helpFor, helpPaths } from '../../apps/palyra-cli/src/help.ts';
import { CLI, Daemon, ROOT, homeWithScript, palyra } from './harness.ts';

const GUIDE = readFileSync(join(ROOT, 'docs/guides/policy.md'), 'utf8');
const EXAMPLES = join(ROOT, 'examples/policies');
const FILES = readdirSync(EXAMPLES).filter((name) => name.endsWith('.cedar'));
const catalogue = createCatalogue();
const tools = { names: new Set(catalogue.names()), prefixes: [] };

function blocksOf(language: string): readonly string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return Array.from(GUIDE.matchAll(fence), ([, text = '']) => text);
}

const readExample = (name: string) => readFileSync(join(EXAMPLES, name), 'utf8');

describe('the guide to rules', () => {
  it(
    'teaches with eleven rules, each as it lies among the examples',
    verifies('docs:guides-hold'),
    () => {
      const shown = Array.from(
        GUIDE.matchAll(/`examples\/policies\/([\w.-]+)`/g),
        ([, name]) => name,
      );
      expect(FILES).toHaveLength(11);
      expect(shown).toEqual(FILES);
      expect(blocksOf('cedar')).toEqual(FILES.map(readExample));
    },
  );

  it('shows cases as they lie among the examples', verifies('docs:guides-hold'), () => {
    const folder = join(EXAMPLES, 'tests');
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const cases = blocksOf('toml').flatMap((block) => block.trimEnd().split('\n\n'));
    expect(cases.length).toBeGreaterThan(1);
    expect(cases.filter((each) => !files.join('\n').includes(`${each}\n`))).toEqual([]);
  });

  it.each(blocksOf('sh').flatMap((block) => block.trimEnd().split('\n')))(
    'shows a command that exists: %s',
    verifies('docs:guides-hold'),
    (line) => {
      const words = line.split(' ').slice(1);
      const path = helpPaths().findLast((each) => each.every((word, at) => words[at] === word));
      const help = helpFor(path ?? []);
      const options = help?.options.map(({ name }) => name) ?? [];
      expect(help?.subcommands).toEqual([]);
      expect(words.filter((word) => word.startsWith('--') && !options.includes(word))).toEqual([]);
    },
  );
});

describe('the cases of a home that has none', () => {
  it(
    'prove nothing: the command says so, and ends with the code that the guide names',
    verifies('policy:no-case-is-no-pass', 'docs:guides-hold'),
    async () => {
      await using home = await mkdtempDisposable(join(tmpdir(), 'palyra-guide-'));
      const { status, stdout } = spawnSync(process.execPath, [CLI, 'policy', 'test'], {
        env: { HOME: home.path, XDG_CONFIG_HOME: join(home.path, 'config') },
        encoding: 'utf8',
      });
      expect(stdout).toContain('no case was run');
      expect(stdout).toContain(join(home.path, 'config/palyra/policies'));
      expect(status).toBe(1);
      expect(GUIDE).toContain('1 when one failed **or there was none to run**');
    },
  );

  it(
    'are not looked for in a folder that is not there, which is what it says',
    verifies('policy:no-case-is-no-pass'),
    async () => {
      await using home = await mkdtempDisposable(join(tmpdir(), 'palyra-guide-'));
      const folder = join(home.path, 'nofolder');
      const { status, stdout } = spawnSync(process.execPath, [CLI, 'policy', 'test', folder], {
        env: { HOME: home.path, XDG_CONFIG_HOME: join(home.path, 'config') },
        encoding: 'utf8',
      });
      expect(stdout).toContain(`no case was run: there is no folder ${folder}`);
      expect(status).toBe(1);
    },
  );
});

describe('a rule that stands in a sentence of the guide', () => {
  const rules = [...GUIDE.matchAll(/`((?:permit|forbid) \([^`]*;)`/g)].map(([, rule = '']) => rule);

  it('can be taken, each of them', verifies('docs:guides-hold'), async () => {
    expect(rules.length).toBeGreaterThan(2);
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-guide-'));
    const path = join(folder.path, 'sentences.cedar');
    const text = rules.map((rule, place) => `@id("sentence-${place}") @says("x")\n${rule}`);
    await writeFile(path, text.join('\n'));
    const checked = await checkRules([path], { layer: 'operator', mode: 'ask', tools });
    expect(checked).toEqual({ rules: rules.length, problems: [] });
  });
});

describe('the examples of rules', () => {
  it('can be taken together', verifies('docs:guides-hold'), async () => {
    const checked = await checkRules([EXAMPLES], { layer: 'operator', mode: 'ask', tools });
    expect(checked).toEqual({ rules: 11, problems: [] });
  });

  it('hold one for a workspace', verifies('docs:guides-hold'), async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-guide-'));
    const path = join(folder.path, 'secrets.cedar');
    const text = readExample('04-secrets-stay-unread.cedar');
    await writeFile(path, text.replace('@id("', '@id("workspace-'));
    expect(GUIDE).toContain('with the id `workspace-secrets-stay-unread`');
    const checked = await checkRules([path], { layer: 'workspace', mode: 'ask', tools });
    expect(checked).toEqual({ rules: 1, problems: [] });
  });

  it('are in their usual form', verifies('docs:guides-hold'), async () => {
    // Together, since each file takes a thread of its own.
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-guide-'));
    const path = join(folder.path, 'all.cedar');
    await writeFile(path, FILES.map(readExample).join('\n'));
    const report = await formatRules([path], 'check');
    expect(report).toEqual({ files: [{ file: path, changed: false }], problems: [] });
  });

  it('do what their cases say, and each decides in one', verifies('docs:guides-hold'), async () => {
    const { results, problems } = await testRules(EXAMPLES, { mode: 'ask', tools, catalogue });
    expect(problems).toEqual([]);
    const failed = results.filter(({ passed }) => !passed);
    expect(failed.map(({ name, difference }) => `${name}: ${difference}`)).toEqual([]);
    const deciding = new Set(results.flatMap(({ rules }) => rules));
    const ids = FILES.map((name) => name.replace(/^\d+-/, '').replace('.cedar', ''));
    expect(ids.filter((id) => !deciding.has(id))).toEqual([]);
  });
});

it(
  'a call of somebody who is no member is explained: they have no role, and are not added',
  verifies('policy:asking-changes-nothing'),
  async () => {
    await using home = await homeWithScript([[{ text: 'hello' }]]);
    await using daemon = await new Daemon(home.path).ready();
    const call = ['--tool', 'process.run', '--arg', 'command=git', '--arg', 'args=["status"]'];
    const asked = ['policy', 'explain', '--principal', 'user:x', ...call];
    const { code, stdout, stderr } = await palyra(daemon.home, ...asked);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^denied: no rule allows `process\.run`/);
    expect(stdout).toContain('`x` is no member of this gateway, and so has no role');
    expect(stdout).toMatch(/missing\n(?:.*\n)*.*operator/);
    expect(stdout).not.toContain('the smallest rule');
    expect(code).toBe(0);
    const members = await palyra(daemon.home, 'access', 'members', 'list', '--json');
    expect(JSON.parse(members.stdout)).toMatchObject({ members: [{ role: 'ROLE_OWNER' }] });
  },
);
