import { quietLog } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepHouse } from './housekeeping.ts';

describe('keepHouse', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('tidies again and again until it is disposed of', async () => {
    const tidy = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const house = keepHouse(tidy, quietLog());
    await vi.advanceTimersByTimeAsync(90_000);
    expect(tidy).toHaveBeenCalledTimes(3);
    house[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(90_000);
    expect(tidy).toHaveBeenCalledTimes(3);
  });

  it('logs a turn that fails, and goes on', async () => {
    const log = quietLog();
    using _house = keepHouse(() => Promise.reject(new Error('disk')), log);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(log.lines.map(({ message }) => message)).toEqual([
      'the registry could not be tidied',
      'the registry could not be tidied',
    ]);
  });

  it('never does two turns at once', async () => {
    const tidy = vi.fn<() => Promise<void>>(() => new Promise(() => {}));
    using _house = keepHouse(tidy, quietLog());
    await vi.advanceTimersByTimeAsync(90_000);
    expect(tidy).toHaveBeenCalledTimes(1);
  });
});
