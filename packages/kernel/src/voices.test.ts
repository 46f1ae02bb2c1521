import { describe, expect, it } from 'vitest';
import { ANYBODY, couldBeOne, groupsOfOne } from './voices.ts';

const ada = { principal: 'user:ada' };
const bob = { principal: 'user:bob', vouchedBy: [] };
const by = (principal: string, ...vouchedBy: string[]) => ({ principal, vouchedBy });

describe('two voices', () => {
  it('are two where nobody could have spoken as both', () => {
    expect(couldBeOne(ada, bob)).toBe(false);
    expect(couldBeOne(by('user:eve', 'user:ada'), bob)).toBe(false);
  });

  it.each([
    ['the same person', bob, bob],
    ['somebody, and whoever let in their device', ada, by('user:bob', 'user:ada')],
    ['two whose devices one person let in', by('user:eve', 'user:ada'), by('user:b', 'user:ada')],
    ['somebody, and one of whom nobody knows who let them in', ada, by('user:bob', ANYBODY)],
  ])('are one of %s', (_who, one, other) => {
    expect(couldBeOne(one, other)).toBe(true);
    expect(couldBeOne(other, one)).toBe(true);
    expect(groupsOfOne([one, other])).toEqual([[one, other]]);
  });
});

it('people whom a third one connects are one group, in whatever order they speak', () => {
  const both = by('user:eve', 'user:ada', 'user:bob');
  expect(groupsOfOne([ada, bob])).toHaveLength(2);
  for (const voices of [
    [ada, bob, both],
    [both, ada, bob],
    [ada, both, bob],
  ]) {
    expect(groupsOfOne(voices)).toHaveLength(1);
  }
});
