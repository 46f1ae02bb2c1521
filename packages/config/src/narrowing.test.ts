import { describe, expect, it } from 'vitest';
import { isNarrower, isNarrowing } from './narrowing.ts';

const options = ['closed', 'listed', 'open'];

describe('what a workspace may do to a value', () => {
  it.each([
    ['lower', 10, 5, true],
    ['lower', 10, 10, true],
    ['lower', 10, 11, false],
    ['lower', 10, Number.NaN, false],
    ['lower', undefined, 5, false],
    ['lower', '10', '5', false],
    ['higher', 10, 11, true],
    ['higher', 10, 9, false],
    ['earlier', 'listed', 'closed', true],
    ['earlier', 'listed', 'listed', true],
    ['earlier', 'listed', 'open', false],
    ['earlier', 'unheard of', 'closed', false],
    ['earlier', 'open', 'unheard of', false],
    ['to-true', false, true, true],
    ['to-true', true, false, false],
    ['to-true', 'no', true, false],
    ['to-false', true, false, true],
    ['to-false', false, true, false],
    ['subset', ['a', 'b'], ['b'], true],
    ['subset', ['a', 'b'], [], true],
    ['subset', ['a', 'b'], ['c'], false],
    ['subset', undefined, ['a'], false],
    ['subset', [{ host: 'a' }], [{ host: 'a' }], false],
  ] as const)('%s from %j to %j: %s', (narrowing, from, to, allowed) => {
    expect(isNarrower(narrowing, { from, to, options })).toBe(allowed);
  });

  it('knows its rules by name only', () => {
    expect(isNarrowing('lower')).toBe(true);
    expect(isNarrowing('anything')).toBe(false);
    expect(isNarrowing(undefined)).toBe(false);
  });
});
