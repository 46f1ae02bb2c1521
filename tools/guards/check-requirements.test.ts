import { describe, expect, it } from 'vitest';
import { treeFrom } from '../tree.ts';
import { checkKept } from './check-kept.ts';
import { checkRequirements, citationsIn } from './check-requirements.ts';
import { smallRepository } from './small-repository.fixture.ts';

describe('checkRequirements', () => {
  it('likes a promise with a test', () => {
    expect(checkRequirements(treeFrom(smallRepository()), ['a:b'])).toEqual([]);
  });

  it('refuses a promise without a test', () => {
    expect(checkRequirements(treeFrom(smallRepository()), ['a:b', 'c:d'])).toEqual([
      { path: 'tests/requirements.ts', says: 'no test verifies `c:d`' },
    ]);
  });

  it('refuses a test of something that nobody promised', () => {
    expect(checkRequirements(treeFrom(smallRepository()), [])).toEqual([
      { path: 'tests/e2e/run.test.ts', says: 'verifies `a:b`, which nobody promised' },
    ]);
  });

  it('refuses an id without an area', () => {
    const tree = treeFrom({ 'a.test.ts': "it('x', verifies('plain'))" });
    expect(checkRequirements(tree, ['plain'])).toEqual([
      { path: 'tests/requirements.ts', says: '`plain` is not of the form area:promise' },
    ]);
  });

  it.each(['tests/e2e/other.test.ts', 'tests/e2e/console/other.test.ts'])(
    'refuses an end-to-end test that cites nothing: %s',
    (path) => {
      const tree = treeFrom({
        ...smallRepository(),
        [path]: "it('x', () => {}); // verifies('a:b')",
      });
      expect(checkRequirements(tree, ['a:b'])).toEqual([
        { path, says: 'an end-to-end test that cites no promise with `verifies`' },
      ]);
    },
  );

  it('asks neither other tests for a promise nor what end-to-end tests share', () => {
    const files = { 'apps/cli/src/x.test.ts': "it('x', f);", 'tests/e2e/harness.ts': '' };
    const tree = treeFrom({ ...smallRepository(), ...files });
    expect(checkRequirements(tree, ['a:b'])).toEqual([]);
  });
});

describe('citationsIn', () => {
  it('finds every id of a call, over lines, and none in a comment or a plain file', () => {
    const tree = treeFrom({
      'a.test.ts': "it('x', verifies(\n  'a:b', // why\n  'c:d',\n), f); // verifies('e:f')",
      'a.ts': "verifies('g:h');",
    });
    expect(citationsIn(tree).map(({ id }) => id)).toEqual(['a:b', 'c:d']);
  });
});

describe('checkKept', () => {
  const requirements = { 'a:b': { says: 'x' }, 'c:d': { says: 'y', on: ['macos'] } } as const;

  it('likes promises whose tests passed, where they are promised', () => {
    expect(checkKept(requirements, { verified: new Set(['a:b']), platform: 'linux' })).toEqual([]);
  });

  it('refuses a promise whose tests did not pass here', () => {
    expect(checkKept(requirements, { verified: new Set(['a:b']), platform: 'darwin' })).toEqual([
      { path: 'tests/requirements.ts', says: 'no passing test verified `c:d`' },
    ]);
  });
});
