import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { whenFree } from './when-free.ts';

const signal = new AbortController().signal;
const busy = new PalyraError('OVERLOADED', 'an export of yours is under way already');

/** An export that is refused so many times. */
function refused(times: number, reason = busy) {
  const asked = { times: 0 };
  async function* ask() {
    asked.times += 1;
    if (asked.times <= times) throw reason;
    yield 'header';
    yield 'trailer';
  }
  const waits: number[] = [];
  const lines = whenFree(ask, signal, async (ms) => void waits.push(ms));
  return { lines: Array.fromAsync(lines), asked, waits };
}

describe('an export while another one of this person is under way', () => {
  it('is asked for again after a while', async () => {
    const { lines, waits } = refused(2);
    expect(await lines).toEqual(['header', 'trailer']);
    expect(waits).toEqual([250, 500]);
  });

  it('is refused in the end, and at once for any other reason', async () => {
    const never = refused(99);
    await expect(never.lines).rejects.toBe(busy);
    expect(never.asked.times).toBe(5);
    const denied = new PalyraError('PERMISSION_DENIED', 'no');
    const other = refused(99, denied);
    await expect(other.lines).rejects.toBe(denied);
    expect(other.asked.times).toBe(1);
  });

  it('is not begun anew once a line of it came', async () => {
    let asked = 0;
    async function* ask() {
      asked += 1;
      yield 'header';
      throw busy;
    }
    await expect(Array.fromAsync(whenFree(ask, signal))).rejects.toBe(busy);
    expect(asked).toBe(1);
  });

  it('is not waited for by whoever left', async () => {
    const left = AbortSignal.abort(new Error('left'));
    const lines = { next: () => Promise.reject(busy) };
    const ask = () => ({ [Symbol.asyncIterator]: () => lines });
    await expect(Array.fromAsync(whenFree(ask, left))).rejects.toThrow('left');
  });
});
