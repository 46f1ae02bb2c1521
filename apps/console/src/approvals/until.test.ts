import { describe, expect, it } from 'vitest';
import { untilOf } from './until.ts';

const now = new Date('2026-11-16T12:00:00.000Z');

describe('the end of a grant', () => {
  it('is a span from now, or the time that was typed', () => {
    expect(untilOf({ span: '8h', local: '' }, now)).toBe('2026-11-16T20:00:00.000Z');
    const local = '2026-11-17T08:30';
    expect(untilOf({ span: 'time', local }, now)).toBe(new Date(local).toISOString());
  });

  it('is none while no time was typed', () => {
    expect(untilOf({ span: 'time', local: '' }, now)).toBeUndefined();
  });
});
