import { describe, expect, it } from 'vitest';
import { standingsOf } from './standing.ts';
import type { StepVerdict, Verdict } from './verdict.ts';

const BUBBLEWRAP: StepVerdict = {
  step: 'bubblewrap',
  executor: 'sandbox_tier_c_linux_bubblewrap',
  isProven: true,
  refusal: '',
  findings: [
    { id: 'files.write-usr', says: 'x', expected: 'refused', observed: 'no', holds: true },
  ],
  weaknesses: ['memory is measured'],
};

function verdict(...steps: readonly StepVerdict[]): Verdict {
  return {
    fingerprint: 'a'.repeat(64),
    machine: {
      kernel: 'Linux',
      arch: 'x64',
      bwrap: '',
      bwrapFile: '',
      account: { uid: 0, gid: 0 },
      cgroup: 'none',
      version: '0.1.0',
      profiles: {},
    },
    provenAt: '2026-11-16T06:00:00.000Z',
    steps: [...steps],
    tier: 'C',
  };
}

function tierC(platform: NodeJS.Platform, known?: Verdict) {
  return standingsOf(platform, known).find(({ tier }) => tier === 'C');
}

describe('where a tier stands', () => {
  it('is refused on Windows, with the reason and the way out', () => {
    expect(standingsOf('win32', undefined)).toEqual([
      expect.objectContaining({ tier: 'A', state: 'not-built' }),
      expect.objectContaining({
        tier: 'B',
        state: 'not-proven',
        reason: 'not proven on this machine: its attacks have not been tried on Windows',
      }),
      {
        tier: 'C',
        state: 'refused',
        step: '',
        executor: '',
        reason:
          'there is no tier C on Windows: a job object limits a process and isolates neither files nor network',
        help: 'run the gateway on Linux, or in WSL 2',
        weaknesses: [],
      },
    ]);
  });

  it('is not proven on macOS, whatever a file says', () => {
    expect(tierC('darwin', verdict(BUBBLEWRAP))).toMatchObject({
      state: 'not-proven',
      reason: 'not proven on this machine: its attacks have not been tried on macOS',
    });
  });

  it('is refused where nobody wrote one', () => {
    expect(tierC('freebsd')).toMatchObject({
      state: 'refused',
      reason: 'there is none for freebsd',
    });
  });

  it('is proven on Linux with what was tried, and its weaknesses are named', () => {
    expect(tierC('linux', verdict(BUBBLEWRAP))).toMatchObject({
      state: 'proven',
      step: 'bubblewrap',
      reason: 'of 1 things that were tried none came through',
      weaknesses: ['memory is measured'],
    });
    expect(tierC('linux')).toMatchObject({ state: 'not-proven' });
  });

  it('names the step down, and why', () => {
    const missing = { ...BUBBLEWRAP, isProven: false, refusal: 'there is no bwrap', findings: [] };
    const landlock = { ...BUBBLEWRAP, step: 'landlock' as const };
    expect(tierC('linux', verdict(missing, landlock))).toMatchObject({
      state: 'proven',
      step: 'landlock',
      weaknesses: ['not by bubblewrap: there is no bwrap', 'memory is measured'],
    });
    expect(tierC('linux', verdict(missing))).toMatchObject({
      state: 'refused',
      reason: 'there is no bwrap',
    });
  });

  it('is refused when one attack came through', () => {
    const [finding] = BUBBLEWRAP.findings;
    const findings = finding === undefined ? [] : [{ ...finding, holds: false }];
    expect(tierC('linux', verdict({ ...BUBBLEWRAP, isProven: false, findings }))).toMatchObject({
      state: 'refused',
      reason: '`files.write-usr` did not hold',
    });
  });
});
