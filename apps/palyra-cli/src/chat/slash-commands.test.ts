import { describe, expect, it } from 'vitest';
import { candidates, completed, slashOf } from './slash-commands.ts';

describe('a slash command', () => {
  it.each([
    ['/help', { kind: 'command', name: 'help', rest: '' }],
    ['/rename fix  the tests ', { kind: 'command', name: 'rename', rest: 'fix  the tests' }],
    ['/sesions', { kind: 'unknown', word: 'sesions', meant: 'sessions' }],
    ['/xyz', { kind: 'unknown', word: 'xyz', meant: undefined }],
    ['/etc/hosts is empty', undefined],
    ['what is /help', undefined],
    ['/', { kind: 'unknown', word: '', meant: undefined }],
    ['/Help!', { kind: 'unknown', word: 'Help!', meant: undefined }],
    ['/etc/passwd', { kind: 'unknown', word: 'etc/passwd', meant: undefined }],
    ['/statsu', { kind: 'unknown', word: 'statsu', meant: 'status' }],
  ])('in %j is %j', (text, slash) => {
    expect(slashOf(text)).toEqual(slash);
  });

  it.each([
    ['/he', '/help'],
    ['/ren', '/rename '],
    ['/r', '/r'],
    ['/res', '/resume'],
    ['/s', '/s'],
    ['/x', '/x'],
    ['/model gp', '/model gp'],
  ])('%j completes to %j', (text, longer) => {
    expect(completed(text)).toBe(longer);
  });

  it('has the candidates that it could become, and none once words follow', () => {
    expect(candidates('/s').map(({ name }) => name)).toEqual(['sessions', 'status']);
    expect(candidates('/rename x')).toEqual([]);
    expect(candidates('hello')).toEqual([]);
  });
});
