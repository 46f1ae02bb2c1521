import { describe, expect, it } from 'vitest';
import { sandboxOutlook } from './sandbox.ts';

const C = {
  tier: 'C',
  state: 'proven',
  step: 'bubblewrap',
  executor: 'sandbox_tier_c_linux_bubblewrap',
  reason: 'of 62 things that were tried none came through',
  help: '',
  weaknesses: [],
} as const;

describe("the doctor's word on sandboxes", () => {
  it('is that tier C is proven, by what and when', () => {
    expect(sandboxOutlook([C], '2026-11-16T06:00:00.000Z')).toEqual({
      result: 'ok',
      detail: 'tier C is proven, by bubblewrap on 2026-11-16 06:00:00',
    });
  });

  it('names what is weaker', () => {
    const weaker = { ...C, weaknesses: ['memory is measured'] };
    expect(sandboxOutlook([weaker], undefined)).toMatchObject({
      result: 'warning',
      detail: 'tier C is proven, by bubblewrap; but memory is measured',
    });
  });

  it('is `not proven on this machine` on macOS', () => {
    const reason = 'not proven on this machine: its attacks have not been tried on macOS';
    const standing = { ...C, state: 'not-proven', step: '', reason, help: 'x' } as const;
    expect(sandboxOutlook([standing], undefined)).toEqual({
      result: 'warning',
      detail: `tier C is ${reason}`,
      fix: 'x',
    });
  });

  it('gives the reason of a refusal, as on Windows', () => {
    const reason = 'there is no tier C on Windows';
    const standing = { ...C, state: 'refused', step: '', reason, help: 'x' } as const;
    expect(sandboxOutlook([standing], undefined)).toMatchObject({
      result: 'warning',
      detail: `tier C is refused: ${reason}`,
    });
  });

  it('is a warning when nobody could say', () => {
    expect(sandboxOutlook([], undefined)).toMatchObject({ result: 'warning' });
  });
});
