import { fingerprintOf } from './fingerprint.ts';
import type { Verdict } from './verdict.ts';

export const MACHINE: Verdict['machine'] = {
  kernel: 'Linux version 6.18.0',
  arch: 'x64',
  bwrap: '/usr/bin/bwrap, bubblewrap 0.8.0',
  bwrapFile: '1:2:3:4',
  account: { uid: 0, gid: 0 },
  cgroup: 'v2',
  version: '0.1.0',
  profiles: { bubblewrap: 'abc' },
};
export const HERE = fingerprintOf(MACHINE);
export const VERDICT: Verdict = {
  fingerprint: HERE,
  machine: MACHINE,
  provenAt: '2026-11-16T06:00:00.000Z',
  steps: [
    {
      step: 'bubblewrap',
      executor: 'sandbox_tier_c_linux_bubblewrap',
      isProven: true,
      refusal: '',
      findings: [{ id: 'files.x', says: 'x', expected: 'refused', observed: 'no', holds: true }],
      weaknesses: [],
    },
  ],
  tier: 'C',
};
