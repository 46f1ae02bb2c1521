import { describe, expect, it } from 'vitest';
import { Cage, KINDS } from './cage.fixture.ts';

describe.each(KINDS)('a sandbox of %s', (kind) => {
  it('says what of it the kernel does not enforce', async () => {
    await using cage = await Cage.start({ kind });
    const { posture } = await cage.sh('true', { egress: { mode: 'none' } });
    expect(posture.namespaces).not.toContain('net');
    expect(posture).toMatchObject({ egress: 'none', hosts: [], isWarm: false });
    const isLimited = posture.memory === 'cgroup';
    expect(posture.weaknesses.join().includes('no cgroup is delegated')).toBe(!isLimited);
  });
});
