import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTitle, titleFrom } from './title.ts';

const malformed = expect.objectContaining({ code: 'INVALID_INPUT' });

describe('a title', () => {
  it.each(['', 'the flaky test', 'größer 👨‍👩‍👧', 'x'.repeat(200)])('may be %j', (title) => {
    expect(checkTitle(`  ${title} `)).toBe(title);
  });

  it.each(['two\nlines', 'bell\u0007', 'turned \u202Earound', '\ud800', 'x'.repeat(201)])(
    'may not be %j',
    (title) => {
      expect(() => checkTitle(title)).toThrow(malformed);
    },
  );
});

describe('a session without a title', () => {
  it('is called after the first line of its prompt, cut where it is long', () => {
    expect(titleFrom('\n  list the files\nand more')).toBe('list the files');
    expect(titleFrom('word '.repeat(30))).toBe(`${'word '.repeat(16).trimEnd()}…`);
  });

  it.each([
    'key sk-ant-api03-CANARY00112233445566 and more',
    `${'word '.repeat(13)}sk-ant-api03-CANARY00112233445566`,
  ])('is not called after a secret, nor after half of one: %s', (prompt) => {
    expect(titleFrom(prompt)).not.toMatch(/sk-|CANARY/);
  });

  it('gets something that is a title, whatever the prompt is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (prompt) => {
        expect(checkTitle(titleFrom(prompt))).toBe(titleFrom(prompt));
      }),
    );
  });
});
