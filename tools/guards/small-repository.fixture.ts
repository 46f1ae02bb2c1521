/**
 * A repository that every guard likes, small enough to read. Tests change one thing in it and
 * look whether the guard notices exactly that.
 */
export function smallRepository(
  changes: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { ...FILES, ...changes };
}

const manifest = (name: string, dependencies: readonly string[], more: object = {}) =>
  JSON.stringify({
    name,
    version: '1.0.0',
    dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '1.0.0'])),
    ...more,
  });

const readme = (name: string) =>
  `# ${name}\n\nWhat it is.\n\n## Owns\n\n## Does not own\n\n## Start reading at\n\n## Invariants\n`;

export const SMALL_LAYERS = {
  layers: [
    { name: 'people', says: 'p', imports: ['kernel'] },
    { name: 'start', says: 's', imports: ['box'], boxesOnlyIn: ['apps/daemon/src/compose.ts'] },
    { name: 'box', says: 'b', imports: ['kernel'] },
    { name: 'kernel', says: 'k', imports: [] },
    { name: 'testkit', says: 't', imports: ['kernel'] },
  ],
  workspaces: {
    'apps/cli': 'people',
    'apps/daemon': 'start',
    'packages/journal': 'box',
    'packages/policy': 'box',
    'packages/kernel': 'kernel',
    'packages/testkit': 'testkit',
  },
};

const FILES = {
  'layers.json': JSON.stringify(SMALL_LAYERS),
  'package.json': manifest('root', [], { type: 'module', devDependencies: { vitest: '1.0.0' } }),
  'package-lock.json': JSON.stringify({
    packages: {
      '': { optionalDependencies: { 'node-linux': '1.0.0' } },
      'node_modules/@palyra/kernel': { resolved: 'packages/kernel', link: true },
      'node_modules/node-linux': { integrity: 'sha512-a' },
      'node_modules/esbuild': {
        integrity: 'sha512-b',
        hasInstallScript: true,
        optionalDependencies: { '@esbuild/linux': '1.0.0', '@esbuild/mac': '1.0.0' },
      },
      'node_modules/@esbuild/linux': { integrity: 'sha512-c' },
      'node_modules/esbuild/node_modules/@esbuild/mac': { integrity: 'sha512-d' },
    },
  }),
  'README.md': 'See [the kernel](packages/kernel/README.md) and `packages/kernel/src/clock.ts`.\n',
  'docs/guides/start.md': 'Go [home](../../README.md#top) or [out](https://example.com).\n',
  'tests/e2e/run.test.ts':
    "import { treeFrom } from '@palyra/testkit';\nit('x', verifies('a:b'));\n",
  'apps/cli/README.md': readme('cli'),
  'apps/cli/package.json': manifest('@palyra/cli', ['@palyra/kernel']),
  'apps/cli/src/main.ts': "import { clock } from '@palyra/kernel';\n",
  'apps/daemon/README.md': readme('daemon'),
  'apps/daemon/package.json': manifest('@palyra/daemon', ['@palyra/journal', '@palyra/policy']),
  'apps/daemon/src/compose.ts':
    "import { journal } from '@palyra/journal';\nimport { policy } from '@palyra/policy';\n",
  'packages/journal/README.md': readme('journal'),
  'packages/journal/package.json': manifest('@palyra/journal', ['@palyra/kernel', 'zod']),
  'packages/journal/src/index.ts': "export { journal } from './journal.ts';\n",
  'packages/journal/src/journal.ts':
    "import { readFile } from 'node:fs/promises';\nimport { clock } from '@palyra/kernel';\nimport { z } from 'zod/mini';\n",
  'packages/journal/src/journal.test.ts':
    "import { it } from 'vitest';\nimport { fixedClock } from '@palyra/testkit';\nit('now', () => Date.now());\n",
  'packages/policy/README.md': readme('policy'),
  'packages/policy/package.json': manifest('@palyra/policy', []),
  'packages/policy/src/index.ts': 'export const policy = 1;\n',
  'packages/kernel/README.md': readme('kernel'),
  'packages/kernel/package.json': manifest('@palyra/kernel', []),
  'packages/kernel/src/index.ts': "export { clock } from './clock.ts';\n",
  'packages/kernel/src/clock.ts':
    "// Not Date.now() but its name: 'Date.now'\nexport const clock = () => new Date();\n",
  'packages/testkit/README.md': readme('testkit'),
  'packages/testkit/package.json': manifest('@palyra/testkit', ['@palyra/kernel']),
  'packages/testkit/src/index.ts': "export { clock } from '@palyra/kernel';\n",
};
