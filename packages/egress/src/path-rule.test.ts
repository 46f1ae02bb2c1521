import { describe, expect, it } from 'vitest';
import { canonicalPath, matchesPath, readPathPattern } from './path-rule.ts';

describe('a path', () => {
  it.each([
    ['/', '/'],
    ['/a/b', '/a/b'],
    ['/a/', '/a/'],
    ['/%61%7e%2D', '/a~-'],
    ['/a%20b', '/a%20b'],
    ['/%c3%a9', '/%C3%A9'],
    ['/a;b=c', '/a;b=c'],
    ['/...', '/...'],
    ['/a.b', '/a.b'],
    ['/a@b:c', '/a@b:c'],
  ])('%s means %s', (path, canonical) => {
    expect(canonicalPath(path)).toBe(canonical);
  });

  it.each([
    [''],
    ['a'],
    ['*'],
    ['/a//b'],
    ['//a'],
    ['/.'],
    ['/..'],
    ['/a/../b'],
    ['/a/./b'],
    ['/a/%2e%2e/b'],
    ['/a/.%2E/b'],
    ['/a%2fb'],
    ['/a%5Cb'],
    ['/a%252fb'],
    ['/a%25252e'],
    ['/a\\b'],
    ['/a%00'],
    ['/a%0d%0a'],
    ['/a%'],
    ['/a%zz'],
    ['/%c0%af'],
    ['/%ff'],
    ['/..;/b'],
    ['/a?b'],
    ['/a#b'],
    ['/a b'],
    ['/\xe9'],
  ])('%j has no one reading', (path) => {
    expect(canonicalPath(path)).toBeUndefined();
  });
});

describe('a pattern of paths', () => {
  it.each([
    ['/v1/**', '/v1/a', true],
    ['/v1/**', '/v1/a/b/c', true],
    ['/v1/**', '/v1/', true],
    ['/v1/**', '/v1', false],
    ['/v1/**', '/v10/a', false],
    ['/v1/**', '/V1/a', false],
    ['/repos/*/issues', '/repos/x/issues', true],
    ['/repos/*/issues', '/repos//issues', false],
    ['/repos/*/issues', '/repos/x/y/issues', false],
    ['/repos/*/issues', '/repos/x/issues/', false],
    ['/a', '/a', true],
    ['/a', '/a/b', false],
    ['/', '/', true],
    ['/', '/a', false],
    ['/*', '/', false],
  ])('%s and %s: %s', (text, path, expected) => {
    expect(matchesPath(readPathPattern(text) ?? ['missing'], path)).toBe(expected);
  });

  it('never fits a path without one reading', () => {
    expect(matchesPath(['**'], undefined)).toBe(false);
  });
});
