import { describe, expect, it } from 'vitest';
import { Arrivals } from './arrivals.ts';

describe('what comes from several sides', () => {
  it('is given in the order in which it came, also to one who waits', async () => {
    const arrivals = new Arrivals<string>();
    const first = arrivals.next();
    for (const word of ['one', 'two', 'three']) arrivals.add(word);
    expect(await first).toBe('one');
    expect([await arrivals.next(), await arrivals.next()]).toEqual(['two', 'three']);
    const later = arrivals.next();
    arrivals.add('four');
    expect(await later).toBe('four');
  });
});
