import { quietLog } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { doSoon, keepHouse } from './housekeeping.ts';

describe('keepHouse', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('tidies soon, and again and again until it is disposed of', async () => {
    const tidy = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const house = keepHouse(tidy, quietLog());
    await vi.advanceTimersByTimeAsync(1_000);
    expect(tidy).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(90_000);
    expect(tidy).toHaveBeenCalledTimes(4);
    house[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(90_000);
    expect(tidy).toHaveBeenCalledTimes(4);
  });

  it('logs a turn that fails, and goes on', async () => {
    const log = quietLog();
    using _house = keepHouse(() => Promise.reject(new Error('disk')), log);
    await vi.advanceTimersByTimeAsync(30_000);
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

describe('doSoon', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('does it once, a moment later, unless it is disposed of before', async () => {
    const work = vi.fn<() => Promise<void>>(() => Promise.resolve());
    using _soon = doSoon(work, quietLog());
    doSoon(work, quietLog())[Symbol.dispose]();
    expect(work).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('logs when it could not be done', async () => {
    const log = quietLog();
    using _soon = doSoon(() => Promise.reject(new Error('disk')), log);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(log.lines.map(({ message }) => message)).toEqual(['the rules could not be read']);
  });
});
