import { describe, expect, it } from 'vitest';
import { MAX_PROMPT_BYTES, readPrompt } from './prompt-input.ts';

async function* stream(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

describe('a prompt from standard input', () => {
  it('is taken as it is, also where a chunk ends inside a character', async () => {
    const bytes = Buffer.from('\ufeffgrüße\n');
    expect(await readPrompt(stream(bytes.subarray(0, 6), bytes.subarray(6)))).toBe('\ufeffgrüße\n');
  });

  it('is refused when it is not UTF-8', async () => {
    await expect(readPrompt(stream(new Uint8Array([0x61, 0xff])))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'the prompt on standard input is not UTF-8',
    });
  });

  it('may have a mebibyte and not a byte more', async () => {
    const most = new Uint8Array(MAX_PROMPT_BYTES).fill(0x61);
    expect(await readPrompt(stream(most))).toHaveLength(1024 * 1024);
    const one = new Uint8Array([0x61]);
    await expect(readPrompt(stream(most, one))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
