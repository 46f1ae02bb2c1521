import { describe, expect, it } from 'vitest';
import { JobSlots } from './job-slots.ts';

describe('slots for jobs', () => {
  it('are two, and each is free again when its job has ended', () => {
    const slots = new JobSlots();
    const first = slots.take();
    using _second = slots.take();
    expect(() => slots.take()).toThrow(expect.objectContaining({ code: 'OVERLOADED' }));
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    using _third = slots.take();
    expect(() => slots.take()).toThrow(expect.objectContaining({ code: 'OVERLOADED' }));
  });
});
