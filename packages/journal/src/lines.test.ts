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

  it('ends early in a line that is longer than any entry', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 1;
        yield new Uint8Array(1024 * 1024);
      }
    }
    await expect(Array.fromAsync(readLines(endless()))).rejects.toThrow(
      expect.objectContaining({ code: 'EXPORT_MALFORMED' }),
    );
    expect(given).toBeLessThan(20);
  });
});
