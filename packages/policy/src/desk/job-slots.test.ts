import { describe, expect, it } from 'vitest';
import { JobSlots } from './job-slots.ts';

const OVERLOADED = expect.objectContaining({
  code: 'OVERLOADED',
  help: 'try again when that has ended',
});

describe('slots for jobs on rules', () => {
  it('are two for each kind, and come back', () => {
    const slots = new JobSlots();
    const first = slots.take('compare', 'ann');
    slots.take('compare', 'bob');
    expect(() => slots.take('compare', 'eve')).toThrow(OVERLOADED);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    slots.take('compare', 'eve');
    expect(() => slots.take('compare', 'ann')).toThrow(OVERLOADED);
  });

  it('are one of each kind for anybody', () => {
    const slots = new JobSlots();
    slots.take('backtest', 'ann');
    slots.take('compare', 'ann');
    expect(() => slots.take('backtest', 'ann')).toThrow(OVERLOADED);
    slots.take('backtest', 'bob');
  });

  it('leave one to whoever applies, however many look', () => {
    const slots = new JobSlots();
    for (const name of ['ann', 'bob']) {
      slots.take('backtest', name);
      slots.take('compare', name);
    }
    const apply = slots.take('apply', 'owner');
    expect(() => slots.take('apply', 'other')).toThrow(OVERLOADED);
    apply[Symbol.dispose]();
    slots.take('apply', 'other');
  });
});
