import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from './lines.ts';

describe('reading lines', () => {
  it('gives the same lines however the bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 8 })),
        fc.integer({ min: 1, max: 9 }),
        async (parts, size) => {
          const lines = parts.map((part) => part.replaceAll('\n', ' '));
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          async function* chunks() {
            for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
          }
          const read = await Array.fromAsync(readLines(chunks()));
          expect(read.map((line) => new TextDecoder().decode(line))).toEqual(lines);
        },
      ),
    );
  });
});
