import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryMeter } from './memory-meter.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('the memory in use', () => {
  it('is asked for once a second at most, however often it is read', () => {
    const ask = vi.fn<() => number>(() => 42);
    const meter = createMemoryMeter(ask);
    for (let call = 0; call < 100; call += 1) expect(meter.readBytes()).toBe(42);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('is asked for again after a second', () => {
    const answers = [1, 2];
    const meter = createMemoryMeter(() => answers.shift() ?? 0);
    expect(meter.readBytes()).toBe(1);
    vi.advanceTimersByTime(999);
    expect(meter.readBytes()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(meter.readBytes()).toBe(2);
  });

  it('is this process’s own', () => {
    expect(createMemoryMeter().readBytes()).toBeGreaterThan(1_000_000);
  });
});
