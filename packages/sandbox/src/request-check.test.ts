import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from './limits.ts';
import type { SandboxRequest } from './model.ts';
import { checkRequest } from './request-check.ts';

const REQUEST: SandboxRequest = {
  tier: 'C',
  executable: 'git',
  arguments: ['status'],
  workspace: '/srv/work',
  directory: '.',
  environment: {},
  stdin: new Uint8Array(),
  limits: DEFAULT_LIMITS,
  egress: { mode: 'strict', hosts: [], secrets: [] },
  principal: 'p',
  session: 's',
  policySetHash: '',
};

const refusal = (change: Partial<SandboxRequest>) => {
  try {
    checkRequest({ ...REQUEST, ...change });
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  return 'accepted';
};

describe('a request', () => {
  it('that is in bounds is accepted', () => {
    expect(refusal({})).toBe('accepted');
    expect(refusal({ directory: 'a/b', environment: { A_1: 'x\ny' } })).toBe('accepted');
  });

  it.each<[string, Partial<SandboxRequest>]>([
    ['no program', { executable: '' }],
    ['a NUL in a word', { arguments: ['a\0b'] }],
    ['a NUL in a variable', { environment: { A: '\0' } }],
    ['a name that is none', { environment: { 'A=B;x': '' } }],
    ['a variable of the shell itself', { environment: { OPTIND: 'x' } }],
    ['a name with a line', { environment: { 'A\nB': '' } }],
    ['a word that is too long', { arguments: ['x'.repeat(131_072)] }],
    ['too many words', { arguments: Array.from({ length: 100_000 }, () => 'x') }],
    ['too much together', { arguments: Array.from({ length: 20 }, () => 'x'.repeat(100_000)) }],
    ['a limit of nothing', { limits: { ...DEFAULT_LIMITS, memoryBytes: 0 } }],
    ['a limit without end', { limits: { ...DEFAULT_LIMITS, wallTimeMs: Infinity } }],
    ['a limit that is no number', { limits: { ...DEFAULT_LIMITS, processes: Number.NaN } }],
    ['a broken limit', { limits: { ...DEFAULT_LIMITS, openFiles: 100.5 } }],
  ])('with %s is malformed', (_, change) => {
    expect(refusal(change)).toBe('INVALID_INPUT');
  });

  it.each(['..', '/etc', 'a/../b', './a', 'a//b', 'a/', ''])('may not start in %j', (directory) => {
    expect(refusal({ directory })).toBe('SANDBOX_SCOPE_DENIED');
  });
});
