import { describe, expect, it } from 'vitest';
import { MOST_NONCES, MOST_SESSIONS, SeenNonces } from './seen-nonces.ts';

const nonce = (text: string, sessionId = 's') => ({ sessionId, text, untilMs: 60_000 });

describe('a nonce', () => {
  it('is new once, for each session', () => {
    const seen = new SeenNonces();
    expect(seen.take(nonce('a'), 0)).toBe('new');
    expect(seen.take(nonce('a'), 0)).toBe('used');
    expect(seen.take(nonce('b'), 0)).toBe('new');
    expect(seen.take(nonce('a', 'other'), 0)).toBe('new');
  });

  it('is not forgotten for those that come after: whoever asks too often waits', () => {
    const seen = new SeenNonces();
    const outcomes = Array.from({ length: 10_000 }, (_, count) => seen.take(nonce(`${count}`), 0));
    expect(outcomes.filter((outcome) => outcome === 'new')).toHaveLength(MOST_NONCES);
    expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(10_000 - MOST_NONCES);
    expect(seen.take(nonce('0'), 60_000)).toBe('used');
    expect(seen.take(nonce('x'), 60_000)).toBe('full');
    expect(seen.take(nonce('x', 'other'), 60_000)).toBe('new');
    expect(seen.take(nonce('x'), 60_001)).toBe('new');
  });

  it('of too many sessions is turned away until the time of others is over', () => {
    const seen = new SeenNonces();
    for (let count = 0; count < MOST_SESSIONS; count += 1) {
      expect(seen.take(nonce('a', `s${count}`), 0)).toBe('new');
    }
    expect(seen.take(nonce('a', 'late'), 60_000)).toBe('full');
    expect(seen.take(nonce('a', 's0'), 60_000)).toBe('used');
    expect(seen.take(nonce('a', 'late'), 60_001)).toBe('new');
  });
});
