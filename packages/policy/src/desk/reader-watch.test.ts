import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ReaderWatch } from './reader-watch.ts';

function watched(limitMs: number) {
  const gone = new AbortController();
  const slot = { released: 0, [Symbol.dispose]: () => void (slot.released += 1) };
  const watch = new ReaderWatch(slot, { limitMs, signal: gone.signal });
  return { watch, gone, slot };
}

describe('a watch over a reader', () => {
  it('gives everything back when nobody reads for too long', async () => {
    const { watch, slot } = watched(1);
    // Something else keeps the process alive while nobody reads.
    using _ = setInterval(() => undefined, 1_000);
    const late = once(watch.signal, 'abort');
    watch.handOver();
    await late;
    expect(slot.released).toBe(1);
    expect(() => watch.taken()).toThrow(expect.objectContaining({ code: 'OVERLOADED' }));
  });

  it('does nothing while somebody reads', () => {
    const { watch, slot } = watched(60_000);
    watch.handOver();
    watch.taken();
    expect(watch.signal.aborted).toBe(false);
    expect(slot.released).toBe(0);
    watch[Symbol.dispose]();
    expect(slot.released).toBe(1);
  });

  it('gives everything back when the reader is gone', () => {
    const { watch, gone, slot } = watched(60_000);
    watch.handOver();
    gone.abort();
    expect(slot.released).toBe(1);
  });
});
