import { describe, expect, it } from 'vitest';
import { HeardEvents } from './heard-events.ts';

/** Every number from the first to the last, heard in order. */
function heardFrom(first: number, last: number): HeardEvents {
  const heard = new HeardEvents();
  for (let sequence = first; sequence <= last; sequence += 1) heard.hear(BigInt(sequence));
  return heard;
}

describe('an event', () => {
  it('that is late is heard, once', () => {
    const heard = new HeardEvents();
    const told = [827n, 821n, 822n, 821n, 827n, 828n].filter((sequence) => heard.hear(sequence));
    expect(told).toEqual([827n, 821n, 822n, 828n]);
    expect(heard.newest).toBe(828n);
  });

  it('that is too old to be known one by one counts as heard', () => {
    const heard = heardFrom(10, 521);
    expect(heard.hear(5n)).toBe(true);
    expect(heard.hear(5n)).toBe(false);
    expect(heard.hear(4n)).toBe(false);
  });

  it('heard by a copy is not heard by what was copied', () => {
    const heard = heardFrom(1, 3);
    heard.copy().hear(4n);
    expect(heard.newest).toBe(3n);
    expect(heard.hear(4n)).toBe(true);
  });
});

describe('a stream that is opened again', () => {
  it('is asked for what was heard last, too, and never for what was known from the start', () => {
    expect(heardFrom(1, 1_000).resumeAfter).toBe(937n);
    expect(heardFrom(1, 63).resumeAfter).toBe(0n);
    const joined = new HeardEvents(100n);
    expect(joined.resumeAfter).toBe(100n);
    joined.hear(105n);
    expect(joined.resumeAfter).toBe(100n);
  });

  it('tells of what was late when it broke, and no word twice', () => {
    const heard = heardFrom(1, 5);
    heard.hear(7n);
    heard.beginAgain();
    const again = [5n, 0n, 6n, 0n, 7n, 0n, 8n].map((sequence) => heard.hear(sequence));
    expect(again).toEqual([false, false, true, false, false, true, true]);
  });

  it('tells every word from the start where nothing was heard before', () => {
    const heard = new HeardEvents();
    heard.beginAgain();
    expect(heard.hear(0n)).toBe(true);
  });
});
