import { describe, expect, it } from 'vitest';
import { readGlob } from './glob.ts';

describe('a pattern of an ignore file', () => {
  it.each([
    ['*.js', 'anywhere', 'a/b.js', true],
    ['*.js', 'anywhere', 'a/b.ts', false],
    ['a?c', 'anywhere', 'abc', true],
    ['[a-c]x', 'anywhere', 'bx', true],
    ['[!a-c]x', 'anywhere', 'bx', false],
    ['[]]', 'anywhere', ']', true],
    ['[a', 'anywhere', '[a', true],
    ['\\*', 'anywhere', '*', true],
    ['\\*', 'anywhere', 'x', false],
    ['a/b', 'anchored', 'a/b', true],
    ['a/b', 'anchored', 'x/a/b', false],
    ['a/*', 'anchored', 'a/b', true],
    ['a/*', 'anchored', 'a/b/c', false],
    ['**/a', 'anchored', 'a', true],
    ['**/a', 'anchored', 'x/y/a', true],
    ['a/**', 'anchored', 'a', false],
    ['a/**', 'anchored', 'a/b/c', true],
    ['a/**/b', 'anchored', 'a/b', true],
    ['a/**/b', 'anchored', 'a/x/y/b', true],
    ['a/**/b', 'anchored', 'a/x/y/c', false],
    ['*', 'anywhere', 'x', true],
  ] as const)('%s, %s, and %s: %s', (pattern, anchor, path, matches) => {
    expect(readGlob(pattern, anchor).matches(path.split('/'))).toBe(matches);
  });

  it('costs no more than its length times the name, however hostile', () => {
    const glob = readGlob(`${'*a'.repeat(120)}b`, 'anywhere');
    expect(glob.matches(['a'.repeat(255)])).toBe(false);
    const folders = readGlob(`${'**/a/'.repeat(60)}b`, 'anchored');
    expect(folders.matches(Array(64).fill('a'))).toBe(false);
  });
});
