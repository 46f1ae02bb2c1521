import { describe, expect, it } from 'vitest';
import { firstLine } from './first-line.ts';

async function* chunksOf(...texts: readonly string[]) {
  for (const text of texts) yield new TextEncoder().encode(text);
}

describe('the first line of standard input', () => {
  it('is read whatever the pieces it comes in, and nothing after it', async () => {
    expect(await firstLine(chunksOf('12', '3 456', '\nmore'), 'PIN')).toBe('123 456');
    expect(await firstLine(chunksOf('123456'), 'PIN')).toBe('123456');
  });

  it.each(['', '\n', ' \n123', 'x'.repeat(5000)])(
    'is refused when it says nothing',
    async (text) => {
      await expect(firstLine(chunksOf(text), 'PIN')).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    },
  );
});
