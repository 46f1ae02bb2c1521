import { Permission } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { scopesOf } from './create.ts';

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
