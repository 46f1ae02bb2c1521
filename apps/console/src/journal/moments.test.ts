import { describe, expect, it } from 'vitest';
import { fromLocalField, toLocalField } from './moments.ts';

describe('a moment in a field', () => {
  it('comes back as the same minute, whatever the time zone', () => {
    expect(fromLocalField(toLocalField('2026-07-04T05:06:00.000Z'))).toBe(
      '2026-07-04T05:06:00.000Z',
    );
  });

  it('is empty for what is none', () => {
    expect(toLocalField('yesterday')).toBe('');
    expect(fromLocalField('')).toBe('');
    expect(fromLocalField('2026-13-45T99:99')).toBe('');
  });
});
