import { describe, expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';
import type { MachineFacts } from './verdict.ts';

const FACTS: MachineFacts = {
  kernel: 'Linux version 6.18.0',
  arch: 'x64',
  bwrap: '/usr/bin/bwrap, bubblewrap 0.8.0',
  bwrapFile: '1:2:3:4',
  account: { uid: 0, gid: 0 },
  cgroup: 'v2',
  version: '0.1.0',
  profiles: { bubblewrap: 'abc' },
};

describe('a fingerprint', () => {
  it('is the same for the same machine', () => {
    expect(fingerprintOf(FACTS)).toBe(fingerprintOf({ ...FACTS }));
    expect(fingerprintOf(FACTS)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<Partial<MachineFacts>>([
    { kernel: 'Linux version 6.18.1' },
    { arch: 'arm64' },
    { bwrap: '/usr/bin/bwrap, bubblewrap 0.8.1' },
    { bwrapFile: '1:2:3:5' },
    { account: { uid: 1000, gid: 0 } },
    { cgroup: 'none' },
    { version: '0.1.1' },
    { profiles: { bubblewrap: 'abd' } },
    { profiles: { bubblewrap: 'abc', process: 'x' } },
  ])('is another one after %o', (change) => {
    expect(fingerprintOf({ ...FACTS, ...change })).not.toBe(fingerprintOf(FACTS));
  });
});
