import { Permission } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { rateOf, scopesOf } from './create.ts';

describe('the scopes of a token', () => {
  it('are given one by one or with commas, and count once', () => {
    const words = ['sessions.use', 'compat.chat.create,sessions.use'];
    expect(scopesOf(words)).toEqual([Permission.SESSIONS_USE, Permission.COMPAT_CHAT_CREATE]);
  });

  it.each([
    [[], 'a token needs at least one scope'],
    [['sessions'], '`sessions` is no permission'],
    [['vault.manage'], '`vault.manage` is for people only, no token can have it'],
  ])('%j is refused before anything is sent', (words, why) => {
    expect(() => scopesOf(words)).toThrow(why);
  });
});

describe('the rate of a token', () => {
  it('lets a tenth of a minute come at once, unless a burst is given', () => {
    expect(rateOf(600, 0)).toEqual({ perMinute: 600, burst: 60 });
    expect(rateOf(1, 0)).toEqual({ perMinute: 1, burst: 1 });
    expect(rateOf(600, 5)).toEqual({ perMinute: 600, burst: 5 });
  });
});
