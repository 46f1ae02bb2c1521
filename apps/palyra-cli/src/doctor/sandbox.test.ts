import { describe, expect, it } from 'vitest';
import { sandboxFinding } from './sandbox.ts';

const C = {
  tier: 'C',
  state: 'proven',
  step: 'bubblewrap',
  reason: 'of 62 things that were tried none came through',
  help: '',
  weaknesses: [],
};

describe("the doctor's word on sandboxes", () => {
  it('is that tier C is proven, by what and when', () => {
    expect(sandboxFinding({ standings: [C], provenAt: '2026-11-16T06:00:00.000Z' })).toEqual({
      check: 'sandbox',
      result: 'ok',
      detail: 'tier C is proven, by bubblewrap on 2026-11-16 06:00:00',
    });
  });

  it('names what is weaker', () => {
    const weaker = { ...C, weaknesses: ['memory is measured'] };
    expect(sandboxFinding({ standings: [weaker] })).toMatchObject({
      result: 'warning',
      detail: 'tier C is proven, by bubblewrap; but memory is measured',
    });
  });

  it('is `not proven on this machine` on macOS', () => {
    const reason = 'not proven on this machine: its attacks have not been tried on macOS';
    expect(
      sandboxFinding({ standings: [{ ...C, state: 'not-proven', step: '', reason, help: 'x' }] }),
    ).toEqual({
      check: 'sandbox',
      result: 'warning',
      detail: `tier C is ${reason}`,
      fix: 'x',
    });
  });

  it('gives the reason of a refusal, as on Windows', () => {
    const reason = 'there is no tier C on Windows';
    expect(
      sandboxFinding({ standings: [{ ...C, state: 'refused', step: '', reason, help: 'x' }] }),
    ).toMatchObject({ result: 'warning', detail: `tier C is refused: ${reason}` });
  });

  it('is a warning when nobody could say', () => {
    expect(sandboxFinding({})).toMatchObject({ result: 'warning' });
  });
});
