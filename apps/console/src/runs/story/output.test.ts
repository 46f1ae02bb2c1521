import { describe, expect, it } from 'vitest';
import { MAX_LIVE_BYTES, NO_OUTPUT, addOutput, textOf } from './output.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const out = (text: string) => ({ isErrorOutput: false, bytes: bytes(text) });
const err = (text: string) => ({ isErrorOutput: true, bytes: bytes(text) });

describe('what a command prints', () => {
  it('keeps the order of its two streams', () => {
    const output = [out('a'), out('b'), err('c'), out('d')].reduce(addOutput, NO_OUTPUT);
    expect(output.pieces.map((piece) => [piece.isErrorOutput, textOf(piece)])).toEqual([
      [false, 'ab'],
      [true, 'c'],
      [false, 'd'],
    ]);
  });

  it('puts a character together that came in two halves', () => {
    const [first = 0, second = 0] = bytes('é');
    const halves = [first, second].map((byte) => ({
      isErrorOutput: false,
      bytes: Uint8Array.of(byte),
    }));
    const { pieces } = halves.reduce(addOutput, NO_OUTPUT);
    expect(pieces.map(textOf)).toEqual(['é']);
  });

  it('keeps the end of it, and counts what came before', () => {
    const many = Array.from({ length: 40 }, (_, n) => out(String(n % 10).repeat(4_096)));
    const { pieces, leftOutBytes } = many.reduce(addOutput, NO_OUTPUT);
    const kept = pieces.reduce((sum, piece) => sum + piece.bytes.length, 0);
    expect(kept).toBe(MAX_LIVE_BYTES);
    expect(leftOutBytes).toBe(40 * 4_096 - MAX_LIVE_BYTES);
    expect(pieces.map(textOf).join('').at(-1)).toBe('9');
  });

  it('has few pieces however the streams take turns', () => {
    const turns = Array.from({ length: 2_000 }, (_, n) => (n % 2 === 0 ? out('o') : err('e')));
    const { pieces, leftOutBytes } = turns.reduce(addOutput, NO_OUTPUT);
    expect(pieces.length).toBe(256);
    expect(leftOutBytes).toBe(2_000 - 256);
  });
});
