import { describe, expect, it } from 'vitest';
import { UsedSets } from './used-sets.ts';

const written = (hash: string, isNew = true) => ({ hash, version: 7, isNew });

describe('the sets that decided nothing', () => {
  it('are known once two others came after', () => {
    const sets = new UsedSets();
    sets.follow(written('a'));
    sets.follow(written('b'));
    expect(sets.unused()).toEqual(written('a'));
  });

  it('are not those that are in force, or were until a moment ago', () => {
    const sets = new UsedSets();
    expect(sets.unused()).toBeUndefined();
    sets.follow(written('a'));
    expect(sets.unused()).toBeUndefined();
  });

  it('are not those that decided something, also after they were replaced', () => {
    const sets = new UsedSets();
    sets.follow(written('a'));
    sets.follow(written('b'));
    sets.note('a');
    expect(sets.unused()).toBeUndefined();
  });

  it('are not those that were kept before: what they decided then is not known', () => {
    const sets = new UsedSets();
    sets.follow(written('a', false));
    sets.follow(written('b'));
    expect(sets.unused()).toBeUndefined();
  });

  it('stay known however many others decide', () => {
    const sets = new UsedSets();
    sets.follow(written('a'));
    sets.follow(written('b'));
    sets.note('a');
    for (let at = 0; at < 100; at += 1) sets.note(`other-${at}`);
    expect(sets.unused()).toBeUndefined();
  });
});
