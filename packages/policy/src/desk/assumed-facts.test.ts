import { describe, expect, it } from 'vitest';
import { assumedFacts } from './assumed-facts.ts';

describe('facts that are assumed', () => {
  it('are read in the words of the schema', () => {
    expect(assumedFacts({})).toEqual({});
    expect(
      assumedFacts({ tier: 'C', taint: ['web'], agent: 'x', time: '2026-11-16T22:30:00Z' }),
    ).toEqual({ tier: 'C', taint: ['web'], agent: 'x', time: new Date('2026-11-16T22:30:00Z') });
  });

  it.each([
    [{ colour: 'red' }],
    [{ approval: { count: 9 } }],
    [{ unattended: true }],
    [{ tier: 3 }],
    [{ tier: 'Z' }],
    [{ tier: 'c' }],
    [{ taint: ['web', 'wep'] }],
    [{ budget: 'plenty' }],
    [{ taint: 'web' }],
    [{ taint: [1] }],
    [{ time: 'later' }],
    [{ time: 5 }],
  ])('are refused as %j', (facts) => {
    expect(() => assumedFacts(facts)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });
});
