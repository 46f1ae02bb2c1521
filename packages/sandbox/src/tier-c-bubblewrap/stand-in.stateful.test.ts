import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Cage, KINDS } from './cage.fixture.ts';
import { findGroups } from './cgroup.ts';

const groupsOf = (pid: number) =>
  new Set(readFileSync(`/proc/${pid}/cgroup`, 'utf8').match(/palyra-c-\d+-[0-9a-f]+-\d+$/gm) ?? []);

/** Who stands in, once there is one. */
async function nextStandIn(cage: Cage): Promise<number> {
  await expect.poll(() => cage.standIns()).toHaveLength(1);
  const [pid = 0] = cage.standIns();
  await expect.poll(() => groupsOf(pid).size).toBe(1);
  return pid;
}

/** Only root has groups without being given any. */
const canHaveGroups = KINDS.includes('root') && findGroups() !== undefined;

describe.runIf(canHaveGroups)('who waits in a group to become bwrap', () => {
  it('becomes that of the next sandbox, in which everybody is in its group', async () => {
    await using cage = await Cage.start({ kind: 'root' });
    const pid = await nextStandIn(cage);
    const [group] = groupsOf(pid);
    const seen: boolean[] = [];
    const ended = await cage.sh('echo; exec sleep 0.1', {
      onOutput: () => {
        seen.push(cage.bwraps().includes(pid) && groupsOf(pid).has(group ?? ''));
      },
    });
    expect(ended).toMatchObject({ code: 0, posture: { memory: 'cgroup' } });
    expect(seen).toEqual([true]);
    expect(await nextStandIn(cage)).not.toBe(pid);
  });

  it('is not missed when somebody has ended it', async () => {
    await using cage = await Cage.start({ kind: 'root' });
    process.kill(await nextStandIn(cage), 'SIGKILL');
    expect(await cage.sh('true')).toMatchObject({ code: 0, posture: { memory: 'cgroup' } });
    await nextStandIn(cage);
  });

  it('is gone when whoever makes sandboxes was killed', async () => {
    await using cage = await Cage.start({ kind: 'root' });
    const pid = await nextStandIn(cage);
    await cage.kill();
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  });
});
