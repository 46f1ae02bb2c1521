import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PATHS, pathFacts, pathProblem } from './paths.ts';

describe('where paths are', () => {
  it('a path of the workspace is in the workspace, in each folder above it and in itself', () => {
    expect(pathFacts(['a/b/c']).anyUnder).toEqual(['.', 'a', 'a/b', 'a/b/c']);
  });

  it('an absolute path is in the root and never in the workspace', () => {
    expect(pathFacts(['/etc/passwd']).allUnder).toEqual(['/', '/etc', '/etc/passwd']);
  });

  it('the workspace and the root are in themselves only', () => {
    expect(pathFacts(['.']).anyUnder).toEqual(['.']);
    expect(pathFacts(['/']).anyUnder).toEqual(['/']);
  });

  it('a folder is not in one whose name it only begins with', () => {
    expect(pathFacts(['srcs/a']).anyUnder).not.toContain('src');
  });

  it('several paths are all under what they share, and any under what one has', () => {
    const facts = pathFacts(['src/a.ts', 'src/lib/b.ts']);
    expect(facts.allUnder).toEqual(['.', 'src']);
    expect(facts.anyUnder).toEqual(['.', 'src', 'src/a.ts', 'src/lib', 'src/lib/b.ts']);
  });

  it('a path of the workspace and an absolute one share nothing', () => {
    expect(pathFacts(['etc/x', '/etc/x']).allUnder).toEqual([]);
  });

  it('no path at all is under nothing, so no permit holds for want of paths', () => {
    expect(pathFacts([])).toEqual({
      all: [],
      allUnder: [],
      anyUnder: [],
      parts: [],
      names: [],
      extensions: [],
    });
  });
});

describe('what all paths share', () => {
  const path = fc
    .tuple(fc.constantFrom('', '/'), fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }))
    .map(([root, parts]) => root + parts.join('/'));

  it('is what each of them is in alone', () => {
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 5 }), (paths) => {
        const alone = paths.map((one) => pathFacts([one]).anyUnder);
        const { allUnder, anyUnder } = pathFacts(paths);
        expect(anyUnder.filter((place) => alone.every((one) => one.includes(place)))).toEqual(
          allUnder,
        );
        expect(new Set(anyUnder)).toEqual(new Set(alone.flat()));
      }),
    );
  });

  it('never grows with one more path', () => {
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 5 }), path, (paths, more) => {
        const fewer = pathFacts([...paths, more]).allUnder;
        expect(pathFacts(paths).allUnder).toEqual(expect.arrayContaining(fewer));
      }),
    );
  });
});

describe('names', () => {
  it('are the last parts as they are; extensions are in lower case, and empty for none', () => {
    const facts = pathFacts(['keys/SERVER.PEM', '.env', 'a/Makefile', 'b/x.tar.gz', 'odd.']);
    expect(facts.names).toEqual(['.env', 'Makefile', 'SERVER.PEM', 'odd.', 'x.tar.gz']);
    expect(facts.extensions).toEqual(['', 'gz', 'pem']);
  });

  it.each([
    ['sub/.GIT/hooks', ['.git', 'hooks', 'sub']],
    ['/etc/x', ['etc', 'x']],
    ['.git.', ['.git']],
    ['.git. .', ['.git']],
    ['.g\u200Bit', ['.git']],
    ['.g\u{FE0F}it', ['.git']],
    ['．ｇｉｔ', ['.git']],
    ['.git::$INDEX_ALLOCATION', ['.git']],
    ['.ſſh', ['.ssh']],
    ['docs\\.git\\hooks\\x', ['.git', 'docs', 'hooks', 'x']],
    ['config/.env\\x', ['.env', 'config', 'x']],
    ['a\\..\\b', ['..', 'a', 'b']],
    ['.', ['.']],
    ['/', []],
  ])('of %j the parts are folded to %j', (path, parts) => {
    expect(pathFacts([path]).parts).toEqual(parts);
  });
});

describe('a path in a second spelling', () => {
  it.each([
    '',
    '..',
    '../a',
    'a/../b',
    'a/..',
    './a',
    'a/./b',
    'a//b',
    'a/',
    '//',
    '/..',
    'a\0b',
    '~',
    '~/a',
  ])('%j is a problem', (path) => {
    expect(pathProblem(['ok', path])).toContain('is not in its one spelling');
  });

  it.each(['.', '/', 'a', '/a', 'a/b', '..a', 'a/...', '.a', '~a', 'a/~'])('%j is none', (path) => {
    expect(pathProblem([path])).toBeUndefined();
  });
});

it('too many or too deep paths are a problem', () => {
  const paths = Array.from({ length: MAX_PATHS + 1 }, (_, place) => `a${place}`);
  expect(pathProblem(paths)).toBe('the call names more than 64 paths');
  expect(pathProblem(paths.slice(1))).toBeUndefined();
  expect(pathProblem(['a/'.repeat(200)])).toContain('has more than 128 parts');
});
