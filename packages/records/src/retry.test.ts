import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { retryOnConflict } from './retry.ts';

describe('a change that conflicts', () => {
  it('is tried again', async () => {
    let tries = 0;
    const result = await retryOnConflict(async () => {
      tries += 1;
      if (tries < 3) throw new PalyraError('CONFLICT', 'changed');
      return 'done';
    });
    expect([result, tries]).toEqual(['done', 3]);
  });

  it('is given up after eight tries, and every other fault at once', async () => {
    for (const [code, expected] of [
      ['CONFLICT', 8],
      ['NOT_FOUND', 1],
    ] as const) {
      let tries = 0;
      const changing = retryOnConflict(async () => {
        tries += 1;
        throw new PalyraError(code, 'no');
      });
      await expect(changing).rejects.toThrow(expect.objectContaining({ code }));
      expect(tries).toBe(expected);
    }
  });
});
