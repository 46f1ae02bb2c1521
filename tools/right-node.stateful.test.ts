import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NODE_MAJOR } from './launcher.ts';
import { ROOT } from './run.ts';

const PRETEND = `Object.defineProperty(process.versions, 'node', { value: '24.1.0' });`;
const TOOLS = ['check', 'test', 'build', 'generate', 'soak'].map((name) => `tools/${name}.ts`);
const WRONG_NODE = `this is Node 24.1.0 and Palyra is made for Node ${NODE_MAJOR}; `;

describe('a tool that is started with another Node', () => {
  it.each([...TOOLS, 'bench/run.ts'])(
    'says so in one sentence, with the command to use, and stops: %s',
    verifies('setup:wrong-runtime-says-so'),
    async (path) => {
      expect(await startPretending(path)).toEqual({
        code: 78,
        stdout: '',
        stderr: `palyra: ${WRONG_NODE}run \`npm ci\`, which brings the right one, and then \`npm run\` or \`npm test\`\n`,
      });
    },
  );

  it('is caught even where Node cannot read it: every script loads the check first', () => {
    const shape = z.object({ scripts: z.record(z.string(), z.string()) });
    const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const lines = Object.values(shape.parse(manifest).scripts);
    const started = lines.filter((line) => line.includes('.ts'));
    expect(started.length).toBeGreaterThan(5);
    for (const line of started)
      expect(line).toMatch(/^node -r \.\/tools\/right-node\.cjs \S+\.ts$/);
  });
});

describe('a program that is started from its sources with another Node', () => {
  it.each([
    ['apps/palyrad/src/main.ts', `palyrad: ${WRONG_NODE}start it with \`./palyra\``],
    [
      'apps/palyra-cli/src/main.ts',
      'needs Node 26 and was started with 24.1.0\n  try: start it with',
    ],
  ])(
    'says so, with the command to use, and stops: %s',
    verifies('setup:wrong-runtime-says-so'),
    async (path, words) => {
      const { code, stderr } = await startPretending(path);
      expect(stderr).toContain(words);
      expect(code).toBe(78);
    },
  );
});

async function startPretending(path: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-node-'));
  const pretend = join(folder.path, 'pretend.cjs');
  writeFileSync(pretend, PRETEND);
  return await new Promise((resolve: (ended: Ended) => void) => {
    const args = ['--require', pretend, join(ROOT, path)];
    const child = execFile(process.execPath, args, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
