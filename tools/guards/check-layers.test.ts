import { describe, expect, it } from 'vitest';
import { treeFrom } from '../tree.ts';
import { checkLayers } from './check-layers.ts';
import { SMALL_LAYERS, smallRepository } from './small-repository.fixture.ts';

const JOURNAL = 'packages/journal/src/journal.ts';
const GOOD_JOURNAL = smallRepository()[JOURNAL] ?? '';

describe('checkLayers', () => {
  it('likes a repository whose imports go down through doors', () => {
    expect(complaints({})).toEqual([]);
  });

  it.each([
    ['a box that imports a box', "import '@palyra/policy';", 'a `box` must not import'],
    ['the same for a type', "import type { A } from '@palyra/policy';", 'a `box` must not import'],
    ['the same when lazy', "void import('@palyra/policy');", 'a `box` must not import'],
    ['an import that goes up', "import '@palyra/daemon';", 'a `box` must not import'],
    ['a deep import', "import '@palyra/kernel/src/clock.ts';", 'goes past the door'],
    ['a relative import', "import '../../kernel/src/clock.ts';", 'leaves the package'],
    ['an npm package', "import 'left-pad';", '`left-pad` is not declared'],
    ['testkit outside a test', "import '@palyra/testkit';", 'is for tests only'],
  ])('refuses %s', (_, line, complaint) => {
    const found = complaints({ [JOURNAL]: `${GOOD_JOURNAL}${line}\n` });
    expect(found).toContainEqual(expect.stringContaining(`${JOURNAL}: `));
    expect(found.join('\n')).toContain(complaint);
  });

  it('lets tests use what their package has for development, and nothing else', () => {
    const packageJson = JSON.stringify({
      name: '@palyra/journal',
      version: '1.0.0',
      dependencies: { '@palyra/kernel': '1.0.0', zod: '1.0.0' },
      devDependencies: { openai: '1.0.0' },
    });
    const uses = "import type { A } from 'openai/resources';\n";
    const withIt = (path: string, text: string) =>
      complaints({ 'packages/journal/package.json': packageJson, [path]: text });
    expect(withIt('packages/journal/src/a.test.ts', uses)).toEqual([]);
    expect(withIt(JOURNAL, `${GOOD_JOURNAL}${uses}`)).toEqual([
      `${JOURNAL}: \`openai\` is not declared in the package.json of packages/journal`,
    ]);
  });

  it('refuses a program for people that imports a box', () => {
    expect(complaints({ 'apps/cli/src/a.ts': "import '@palyra/journal';" })).toContainEqual(
      'apps/cli/src/a.ts: a `people` must not import `@palyra/journal`, which is a `box`',
    );
  });

  it('refuses a box outside the one file that builds boxes', () => {
    expect(complaints({ 'apps/daemon/src/other.ts': "import '@palyra/journal';" })).toEqual([
      'apps/daemon/src/other.ts: boxes are built in apps/daemon/src/compose.ts only, and `@palyra/journal` is one',
    ]);
  });

  it('refuses a test that reaches into a package by path', () => {
    expect(
      complaints({ 'tests/e2e/a.test.ts': "import '../../packages/kernel/src/clock.ts';" }),
    ).toEqual([
      'tests/e2e/a.test.ts: `../../packages/kernel/src/clock.ts` goes past the door of the package',
    ]);
  });

  it('lets a tool reach a campaign by path', () => {
    expect(complaints({ 'tools/a.ts': "import '../packages/kernel/soak/fuzz.ts';" })).toEqual([]);
  });

  it('refuses a dependency that nobody imports', () => {
    expect(complaints({ 'packages/journal/src/journal.ts': "import '@palyra/kernel';" })).toEqual([
      'packages/journal/package.json: `zod` is declared and never imported',
    ]);
  });

  it('refuses a workspace without a layer', () => {
    expect(
      complaints({ 'packages/new/package.json': '{"name":"@palyra/new","version":"1.0.0"}' }),
    ).toEqual(['layers.json: `packages/new` has no layer']);
  });

  it.each([
    [
      'a workspace that is gone',
      { workspaces: { 'packages/gone': 'box' } },
      '`packages/gone` does not exist',
    ],
    ['an unknown layer', { workspaces: { 'packages/policy': 'bax' } }, 'unknown layer `bax`'],
    [
      'a layer with nothing in it',
      { workspaces: { 'packages/testkit': 'box' } },
      'nothing is in layer `testkit`',
    ],
  ])('refuses a list that names %s', (_, { workspaces }, complaint) => {
    const layers = { ...SMALL_LAYERS, workspaces: { ...SMALL_LAYERS.workspaces, ...workspaces } };
    expect(complaints({ 'layers.json': JSON.stringify(layers) }).join('\n')).toContain(complaint);
  });

  it('refuses an allowance that nobody uses', () => {
    const layers = SMALL_LAYERS.layers.map((layer) =>
      layer.name === 'start'
        ? {
            ...layer,
            imports: ['box', 'kernel'],
            boxesOnlyIn: ['apps/daemon/src/compose.ts', 'apps/daemon/src/main.ts'],
          }
        : layer,
    );
    expect(complaints({ 'layers.json': JSON.stringify({ ...SMALL_LAYERS, layers }) })).toEqual([
      'layers.json: no `start` imports a `kernel`; take the allowance away',
      'layers.json: `apps/daemon/src/main.ts` imports no box; take the allowance away',
    ]);
  });
});

function complaints(changes: Readonly<Record<string, string>>): string[] {
  return checkLayers(treeFrom(smallRepository(changes))).map(
    ({ path, says }) => `${path}: ${says}`,
  );
}
