import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { type Check, examine } from './check.ts';

const about = 'x';

describe('an examination', () => {
  it('goes through every check in order, and takes what one throws for a finding', async () => {
    const checks: readonly Check[] = [
      { check: 'first', about, look: () => ({ result: 'ok', detail: 'well' }) },
      {
        check: 'second',
        about,
        look: () => Promise.reject(new PalyraError('NOT_FOUND', 'gone\naway', { help: 'look' })),
      },
    ];
    expect(await examine(checks)).toEqual([
      { check: 'first', about, result: 'ok', detail: 'well', fix: '' },
      { check: 'second', about, result: 'failed', detail: expect.any(String), fix: 'look' },
    ]);
  });

  it('does not wait for ever', async () => {
    const never: Check = { check: 'c', about, patienceMs: 1, look: () => new Promise(() => {}) };
    expect(await examine([never])).toMatchObject([{ result: 'failed' }]);
  });
});
