import { lexer } from 'marked';
import { describe, expect, it } from 'vitest';
import { LONGEST_BLOCK, isReadable } from './readable.ts';

describe('what is read as markdown', () => {
  it.each(['', 'plain', '> > > three\n- a\n  - b', '```\ncode\n```', '**a** `b` [c](https://d)'])(
    'is `%s`',
    (text) => expect(isReadable(text)).toBe(true),
  );

  it.each([
    ['quotations without end', '>'.repeat(5_000)],
    ['lists without end', '- '.repeat(5_000)],
    ['indents without end', `${' '.repeat(5_000)}a`],
    ['brackets without end', '['.repeat(5_000)],
    ['stars without end', '*a'.repeat(5_000)],
    ['backticks without end', '`'.repeat(5_000)],
    ['more than anybody reads', 'a'.repeat(LONGEST_BLOCK + 1)],
  ])('is not %s', (_name, text) => expect(isReadable(text)).toBe(false));

  it('is read to its end', () => {
    const worst = `${'>'.repeat(12)}${'*a'.repeat(180)}\n`.repeat(40);
    expect(isReadable(worst)).toBe(true);
    expect(lexer(worst).length).toBeGreaterThan(0);
  });
});
