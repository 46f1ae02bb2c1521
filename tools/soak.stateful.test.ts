import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { CAMPAIGNS } from './campaigns/list.ts';
import { ROOT } from './run.ts';

const CAMPAIGN = CAMPAIGNS.find(({ name }) => name === 'journal-crash');
const HOLDS =
  "console.log('working');\nconsole.log(`held with ${process.argv.slice(2).join(' ')}`);";
const BREAKS = "console.log('lost entry 7');\nprocess.exitCode = 1;";

describe('npm run soak', () => {
  it('prints the seed, runs the campaign with it and writes down what came of it', async () => {
    const { code, output, page } = await soak(HOLDS, 'journal-crash', '--seed', '42');
    expect(code).toBe(0);
    expect(output).toContain('seed 42');
    expect(page).toMatch(/^\| journal-crash \| held with --seed 42 \| 42 \| \d{4}-\d\d-\d\d \| /m);
  });

  it('ends with 1 when a campaign found something, and writes that down too', async () => {
    const { code, page } = await soak(BREAKS, 'journal-crash');
    expect(code).toBe(1);
    expect(page).toContain('| **failed**: lost entry 7 |');
  });

  it.each([['nonsense'], ['--seed=many']])('refuses %s', async (argument) => {
    expect((await soak(HOLDS, argument)).code).toBe(64);
  });
});

/** The real tool in front of a tree with one short campaign. */
async function soak(source: string, ...args: readonly string[]) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra soak-'));
  const program = join(folder.path, CAMPAIGN?.program ?? '');
  mkdirSync(join(folder.path, 'docs'));
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder.path, 'docs/soak.md'), '');
  cpSync(join(ROOT, 'tools'), join(folder.path, 'tools'), { recursive: true });
  writeFileSync(program, source);
  symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
  const child = spawn(process.execPath, [join(folder.path, 'tools/soak.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { code, output, page: readFileSync(join(folder.path, 'docs/soak.md'), 'utf8') };
}
