import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { MAX_LINE_BYTES, readLines } from './line-reader.ts';

async function linesOf(...chunks: readonly string[]): Promise<readonly string[]> {
  const lines = await Array.fromAsync(readLines(stream(chunks.map((text) => Buffer.from(text)))));
  return lines.map((line) => Buffer.from(line).toString('utf8'));
}

async function* stream(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

describe('line reader', () => {
  it('finds lines wherever the chunks end', async () => {
    expect(await linesOf('on', 'e\ntw', 'o\n', 'three')).toEqual(['one', 'two', 'three']);
  });

  it('keeps an empty line in the middle and makes none at the end', async () => {
    expect(await linesOf('one\n\ntwo\n')).toEqual(['one', '', 'two']);
  });

  it('gives nothing for nothing', async () => {
    expect(await linesOf()).toEqual([]);
  });

  it('refuses a line that would fill the memory', async () => {
    const chunk = new Uint8Array(MAX_LINE_BYTES / 2 + 1).fill(0x61);
    const reading = Array.fromAsync(readLines(stream([chunk, chunk])));
    await expect(reading).rejects.toThrow(PalyraError);
  });
});
