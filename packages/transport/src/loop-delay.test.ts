import { describe, expect, it } from 'vitest';
import { createLoopDelayMeter } from './loop-delay.ts';

describe('the event loop’s delay', () => {
  it('is a number from the first moment on, and never negative', () => {
    using meter = createLoopDelayMeter();
    const { p50Ms, p99Ms } = meter.read();
    expect(p50Ms).toBeGreaterThanOrEqual(0);
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
  });
});
