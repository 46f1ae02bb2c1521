import { describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

const refusal = (message: string) =>
  expect.objectContaining({ code: 'OVERLOADED', message, help: 'try again when that has ended' });

describe('slots', () => {
  it('are so many for one person, who is told so, and come back', () => {
    const slots = new Slots({ each: 2, inAll: 9, one: 'a search', many: 'searches' });
    const first = slots.take('ann');
    slots.take('ann');
    expect(() => slots.take('ann')).toThrow(refusal('2 searches of yours are under way already'));
    slots.take('bob');
    first[Symbol.dispose]();
    slots.take('ann');
  });

  it('are so many in all, and one that is given back twice is one', () => {
    const slots = new Slots({ each: 1, inAll: 2, one: 'an export', many: 'exports' });
    const first = slots.take('ann');
    expect(() => slots.take('ann')).toThrow(refusal('an export of yours is under way already'));
    slots.take('bob');
    expect(() => slots.take('eve')).toThrow(refusal('2 exports are under way already'));
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    slots.take('eve');
    expect(() => slots.take('ann')).toThrow(refusal('2 exports are under way already'));
  });

  it('can be one alone', () => {
    const slots = new Slots({ each: 1, inAll: 1, one: 'an apply', many: 'applies' });
    slots.take('ann');
    expect(() => slots.take('bob')).toThrow(refusal('an apply of others is under way already'));
  });
});
