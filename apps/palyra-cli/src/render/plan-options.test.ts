import { describe, expect, it } from 'vitest';
import { describeOptions, groupOptions } from './plan-options.ts';

const OPTIONS =
  '--unshare-user --unshare-cgroup-try --unshare-net --disable-userns --uid 61100 --gid 61100 --cap-drop ALL --hostname sandbox --ro-bind /usr /usr --symlink usr/bin /bin --ro-bind-fd <etc> /etc --proc /proc --dev /dev --size 1048576 --tmpfs /tmp --bind-fd <workspace> /workspace --ro-bind-fd <guard:0> /workspace/.git --remount-ro / --seccomp <seccomp>';

describe('the options of a sandbox, in words', () => {
  it('say what it has of its own, what it may, and what it can write', () => {
    expect(describeOptions(groupOptions(OPTIONS.split(' ')))).toEqual([
      ['its own', 'user, cgroup, net namespace; it is called `sandbox`'],
      ['rights', 'user 61100, no user namespace inside, no capability'],
      ['read-only', '/usr /bin /etc'],
      ['writable', '/tmp (1.0 MiB of memory), /workspace'],
    ]);
  });

  it('show what nobody knows as it is', () => {
    expect(describeOptions(groupOptions(['--new-thing', 'a', 'b']))).toEqual([
      ['other', '--new-thing a b'],
    ]);
  });

  it('are nothing for a plan without them', () => {
    expect(describeOptions(groupOptions([]))).toEqual([]);
  });
});
