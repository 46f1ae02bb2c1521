import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { smallRepository } from './guards/small-repository.fixture.ts';
import { ROOT, environment } from './run.ts';

/** For each check a change that it must notice; the linter has a test of its own. */
const BAD = {
  layers: { 'packages/journal/src/journal.ts': "import '@palyra/policy';\n" },
  sizes: { 'packages/policy/src/long.ts': '// long\n'.repeat(401) },
  docs: { 'docs/a.md': '[gone](gone.md)\n' },
  globals: { 'packages/policy/src/luck.ts': 'export const luck = () => Math.random();\n' },
  lock: { 'package-lock.json': '{"packages":{"node_modules/a":{}}}' },
  requirements: { 'packages/policy/src/a.test.ts': "it('x', verifies('never:promised'));\n" },
  format: { 'packages/policy/src/ugly.ts': 'export   const a=1' },
  types: {
    'packages/policy/src/wrong.ts': "export const a: number = 'a';\n",
    // Not the tools, which bring everything of ours along.
    'tsconfig.json': JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      include: ['packages'],
    }),
  },
  'console-types': {
    'apps/console/src/wrong.tsx': 'export const Wrong = () => <p title={1}>wrong</p>;\n',
    'apps/console/tsconfig.json': inSmall('apps/console/tsconfig.json'),
  },
  'e2e-types': {
    'tests/e2e/console/wrong.ts': "export const a: number = 'a';\n",
    'tests/e2e/console/tsconfig.json': inSmall('tests/e2e/console/tsconfig.json'),
  },
  proto: {
    'packages/protocol/buf.yaml': 'version: v2\nlint:\n  use: [STANDARD]\n',
    'packages/protocol/a.proto': 'syntax = "proto3";\nmessage lower {}\n',
  },
  unit: {
    'packages/policy/src/a.test.ts':
      "import { it } from 'vitest';\nit('fails', () => {\n  throw new Error('as it should');\n});\n",
  },
} as const;

/** A configuration of ours, for what lies beside it in the small repository. */
function inSmall(path: string): string {
  return JSON.stringify({ extends: join(ROOT, path), include: ['.'] });
}

describe('npm run check', () => {
  it.each(Object.entries(BAD))('ends with 1 when %s finds something', async (guard, changes) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra check-'));
    writeRepository(folder.path, smallRepository(changes));
    const { code, output } = await check(folder.path, guard);
    expect(output).toMatch(new RegExp(`^${guard} +FAILED`));
    expect(Object.keys(changes).filter((path) => output.includes(path))).not.toEqual([]);
    expect(code).toBe(1);
  });

  it('ends with 0 when nothing was found', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra check-'));
    writeRepository(folder.path, smallRepository());
    const { code, output } = await check(folder.path, 'sizes');
    expect(output).toMatch(/^sizes +ok/);
    expect(code).toBe(0);
  });

  it('refuses a check that does not exist', async () => {
    expect((await check(ROOT, 'nonsense')).code).toBe(64);
  });
});

/** The real tools in front of another tree. */
function writeRepository(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  for (const path of [
    'tools',
    'tests/console-requirements.ts',
    'tests/requirements.ts',
    'vitest.config.ts',
    'tsconfig.json',
    '.oxlintrc.json',
    '.oxfmtrc.json',
  ]) {
    const how = { recursive: true, filter: isNoTest, force: false };
    cpSync(join(ROOT, path), join(folder, path), how);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

function isNoTest(path: string): boolean {
  return !path.endsWith('.test.ts');
}

async function check(folder: string, name: string) {
  const child = spawn(process.execPath, [join(folder, 'tools/check.ts'), name], {
    cwd: tmpdir(),
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { code, output };
}
