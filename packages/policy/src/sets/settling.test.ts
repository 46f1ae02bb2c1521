import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Settling } from './settling.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('what was told of files', () => {
  it('is looked at a moment later, once for all that is told meanwhile', () => {
    const look = vi.fn<() => void>();
    using settling = new Settling(look);
    for (let turn = 0; turn < 3; turn += 1) settling.tell('people');
    expect(look).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(look).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('is looked at later when it is about a workspace, and not before the ten seconds are over', () => {
    const look = vi.fn<() => void>();
    using settling = new Settling(look);
    settling.tell('workspace');
    vi.advanceTimersByTime(1999);
    expect(look).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(look).toHaveBeenCalledTimes(1);
    settling.tell('workspace');
    vi.advanceTimersByTime(9999);
    expect(look).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('is looked at once in ten seconds when a workspace never rests, and people are served at once', () => {
    const look = vi.fn<() => void>();
    using settling = new Settling(look);
    for (let turn = 0; turn < 600; turn += 1) {
      settling.tell('workspace');
      vi.advanceTimersByTime(100);
    }
    expect(look).toHaveBeenCalledTimes(6);
    settling.tell('people');
    vi.advanceTimersByTime(100);
    expect(look).toHaveBeenCalledTimes(7);
  });

  it('is looked at a moment later when a workspace has come, and once more when it has settled', () => {
    const look = vi.fn<() => void>();
    using settling = new Settling(look);
    settling.tell('new-workspace');
    vi.advanceTimersByTime(100);
    expect(look).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1900);
    expect(look).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(60_000);
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('is looked at twice in ten seconds when a workspace comes and goes again and again', () => {
    const look = vi.fn<() => void>();
    using settling = new Settling(look);
    for (let turn = 0; turn < 600; turn += 1) {
      settling.tell('new-workspace');
      vi.advanceTimersByTime(100);
    }
    expect(look.mock.calls.length).toBeLessThanOrEqual(12);
  });

  it('is not looked at any more afterwards', () => {
    const look = vi.fn<() => void>();
    const settling = new Settling(look);
    settling.tell('people');
    settling.tell('workspace');
    settling[Symbol.dispose]();
    settling.tell('people');
    vi.advanceTimersByTime(60_000);
    expect(look).not.toHaveBeenCalled();
  });
});
