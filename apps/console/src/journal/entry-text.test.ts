import { describe, expect, it } from 'vitest';
import { entryText, withShortIds } from './entry-text.ts';

describe('an entry in words', () => {
  it('tells what matters, and no more than a line of it', () => {
    const payload = { kind: 'DECISION_KIND_DENY', reason: 'no rule allows it' };
    expect(entryText({ kind: 'tool.decided', payload })).toBe('deny · no rule allows it');
    expect(entryText({ kind: 'model.message', payload: { text: 'a'.repeat(999) } })).toHaveLength(
      401,
    );
  });

  it('shows ids and hashes by their ends, and leaves words alone', () => {
    expect(withShortIds('run 01JZ8Q6Y7D0M3W5K9RB2XN4TFC')).toBe('run 01JZ8Q…XN4TFC');
    expect(withShortIds(`policy ${'ab'.repeat(32)}`)).toBe('policy ababab…ababab');
    expect(withShortIds('deny · nothing is allowed yet')).toBe('deny · nothing is allowed yet');
  });
});
