import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ARM64_SYSCALLS } from '../seccomp/syscalls-arm64.ts';
import { X86_64_SYSCALLS } from '../seccomp/syscalls-x86-64.ts';
import { CAGES, Cage } from './cage.fixture.ts';

const NUMBERS: Readonly<Record<string, number>> =
  process.arch === 'arm64' ? ARM64_SYSCALLS : X86_64_SYSCALLS;

const EPERM = 1;
const ENOSYS = 38;
const [NEWNS, NEWUSER, NEWNET, SIGCHLD] = [0x20000, 0x10000000, 0x40000000, 17];

/** Calls with which a process could leave, look around or take over; and what they must answer. */
const REFUSED: readonly (readonly [string, readonly (number | string)[], number])[] = [
  ['unshare', [NEWUSER], EPERM],
  ['unshare', [NEWNS], EPERM],
  ['clone', [NEWUSER | SIGCHLD, 0, 0, 0, 0], EPERM],
  ['clone', [NEWNET | SIGCHLD, 0, 0, 0, 0], EPERM],
  ['clone3', [0, 0], ENOSYS],
  ['setns', [0, 0], EPERM],
  ['ptrace', [16, 1, 0, 0], EPERM],
  ['process_vm_readv', [1, 0, 0, 0, 0, 0], EPERM],
  ['process_vm_writev', [1, 0, 0, 0, 0, 0], EPERM],
  ['pidfd_getfd', [0, 0, 0], EPERM],
  ['kcmp', [1, 1, 0, 0, 0], EPERM],
  ['bpf', [0, 0, 0], EPERM],
  ['perf_event_open', [0, 0, 0, 0, 0], EPERM],
  ['userfaultfd', [0], EPERM],
  ['keyctl', [0, 0, 0, 0, 0], EPERM],
  ['add_key', ['user', 'x', 'y', 1, -2], EPERM],
  ['request_key', ['user', 'x', 0, 0], EPERM],
  ['io_uring_setup', [8, 0], ENOSYS],
  ['io_uring_enter', [0, 0, 0, 0, 0], ENOSYS],
  ['mount', ['none', '/tmp', 'tmpfs', 0, 0], EPERM],
  ['umount2', ['/proc', 2], EPERM],
  ['fsopen', ['tmpfs', 0], EPERM],
  ['fsmount', [0, 0, 0], EPERM],
  ['open_tree', [-100, '/', 1], EPERM],
  ['move_mount', [0, '', 0, '', 0], EPERM],
  ['mount_setattr', [-100, '/', 0, 0, 0], EPERM],
  ['pivot_root', ['/', '/'], EPERM],
  ['chroot', ['/tmp'], EPERM],
  ['name_to_handle_at', [-100, '/', 0, 0, 0], EPERM],
  ['open_by_handle_at', [-100, 0, 0], EPERM],
  ['fanotify_init', [0, 0], EPERM],
  ['quotactl', [0, 0, 0, 0], EPERM],
  ['init_module', [0, 0, ''], EPERM],
  ['finit_module', [0, '', 0], EPERM],
  ['kexec_load', [0, 0, 0, 0], EPERM],
  ['reboot', [0, 0, 0, 0], EPERM],
  ['swapon', ['/tmp', 0], EPERM],
  ['settimeofday', [0, 0], EPERM],
  ['clock_settime', [0, 0], EPERM],
  ['sethostname', ['x', 1], EPERM],
  ['syslog', [3, 0, 0], EPERM],
  ['personality', [0x0400000], EPERM],
  ['execveat', [0, '', 0, 0, 0x1000], EPERM],
  ['openat2', [0, 0, 0, 0], ENOSYS],
  ['socket', [1, 1, 0], EPERM],
  ['socket', [40, 1, 0], EPERM],
  ['socket', [17, 3, 0], EPERM],
  ['socket', [44, 1, 0], EPERM],
  ['socket', [16, 3, 15], EPERM],
  ['socket', [2, 3, 1], EPERM],
];

/** Numbers of later kernels, of nobody, and of another convention. */
const UNKNOWN = [1000, 452, 467];

describe.each(CAGES)('in a sandbox of $kind, $warmth', ({ kind, warmth }) => {
  let cage: Cage;
  beforeAll(async () => {
    cage = await Cage.start({ kind, warmth });
  });
  afterAll(() => cage[Symbol.asyncDispose]());

  it('every call that reaches beyond the process is refused', async () => {
    // Perl hands over the address of a text only if it could change it.
    const word = (value: number | string) =>
      typeof value === 'string' ? `(my $t = "${value}")` : `${value}`;
    const known = REFUSED.filter(([name]) => NUMBERS[name] !== undefined);
    const lines = known.map(([name, args]) => {
      const words = [`${NUMBERS[name]}`, ...args.map(word)].join(', ');
      return `$! = 0; $r = syscall(${words}); print "${name} ", $r < 0 ? $!+0 : "worked", "\\n";`;
    });
    const ended = await cage.perl(lines.join('\n'));
    expect(ended.stdout.trim().split('\n')).toEqual(
      known.map(([name, , error]) => `${name} ${error}`),
    );
  });

  it('a call that nobody knows does not exist', async () => {
    const lines = UNKNOWN.map((number) => `$! = 0; syscall(${number}); print $!+0, " ";`);
    expect((await cage.perl(lines.join(''))).stdout).toBe('38 38 38 ');
  });

  it.runIf(process.arch === 'x64')('a call of another convention ends the program', async () => {
    const ended = await cage.perl('syscall(0x40000000 + 39); print "alive"');
    expect(ended).toMatchObject({ kind: 'killed', signal: 'SIGSYS', stdout: '' });
  });

  it('there is no right, no new right and no second user', async () => {
    const ended = await cage.sh(
      'grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status; cat /proc/self/uid_map; su -c id; id -u; unshare -U true; unshare -r true; ls -l /proc/self/ns >/dev/null; for n in /proc/self/ns/*; do nsenter --net=$n true 2>/dev/null && echo entered; done; true',
    );
    expect(ended.stdout).toContain('CapEff:\t0000000000000000');
    expect(ended.stdout).toContain('CapBnd:\t0000000000000000');
    expect(ended.stdout).toContain('NoNewPrivs:\t1\nSeccomp:\t2\n');
    expect(ended.stdout).toMatch(/\s61100\s+0\s+1\n61100\n$/);
  });

  it('nothing of the kernel can be set', async () => {
    const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
    const ended = await cage.sh(
      'for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sys/net/ipv4/ip_forward /proc/sys/vm/overcommit_memory /proc/sysrq-trigger /proc/self/uid_map /proc/irq/default_smp_affinity; do for v in x 0 1; do (echo $v > $f) 2>/dev/null && echo "wrote $f"; done; done; for p in 1 self; do (echo -900 > /proc/$p/oom_score_adj) 2>/dev/null && echo lowered; done; find /proc/sys -writable 2>/dev/null | head; true',
    );
    expect(ended.stdout).toBe('');
    expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before);
  });

  it('what the kernel knows of the machine is not told', async () => {
    const ended = await cage.sh(
      'cat /proc/keys /proc/kallsyms /proc/cmdline | wc -c; head -c 1 /proc/kcore; cat /proc/kmsg; dmesg; ls /sys; ls /dev',
    );
    expect(ended.stdout.split('\n')[0]).toBe('0');
    const devices = ended.stdout.trim().split('\n').slice(1);
    expect(devices).toEqual([
      'core',
      'fd',
      'full',
      'null',
      'ptmx',
      'pts',
      'random',
      'shm',
      'stderr',
      'stdin',
      'stdout',
      'tty',
      'urandom',
      'zero',
    ]);
  });

  it('only its own processes are there to be seen and signalled', async () => {
    const ended = await cage.perl(
      `opendir(my $d, '/proc'); my @p = grep { /^\\d+$/ } readdir $d; print scalar(@p) < 8 ? "few\\n" : "many\\n";
       my $n = 0; for (1..100000) { $n++ if $_ != $$ && kill(0, $_); } print $n < 8 ? "few\\n" : "many\\n";
       print "survived\\n";`,
    );
    expect(ended.stdout).toBe('few\nfew\nsurvived\n');
    expect((await cage.sh('kill -9 1; kill -STOP 1; echo still; exit 4')).code).toBe(4);
  });

  it('no core is dumped, and the limit for it can be set to nothing else', async () => {
    const ended = await cage.sh(
      'ulimit -c 0; ulimit -c unlimited 2>/dev/null; grep -i core /proc/self/limits; sh -c "kill -SEGV \\$\\$"; ls',
    );
    expect(ended.stdout).toMatch(/^Max core file size\s+1\s+1\s/);
    expect(readdirSync(cage.workspace)).toEqual([]);
  });

  it('there is no network, and no way to make one', async () => {
    const ended = await cage.perl(
      `use Socket; open(my $f, '<', '/proc/net/dev'); print scalar(grep { /:/ } <$f>), "\\n";
       for my $a (['127.0.0.1', 22], ['10.0.0.1', 80], ['8.8.8.8', 53], ['169.254.169.254', 80]) {
         socket(my $s, PF_INET, SOCK_STREAM, 0); print connect($s, sockaddr_in($a->[1], inet_aton($a->[0]))) ? "connected" : "no", "\\n"; }
       socket(my $u, PF_INET, SOCK_DGRAM, 0); print send($u, 'x', 0, sockaddr_in(53, inet_aton('8.8.8.8'))) ? "sent" : "no", "\\n";
       print system('ip link add x type dummy 2>/dev/null') == 0 ? "made" : "no", "\\n";`,
    );
    expect(ended.stdout).toBe(`1\n${'no\n'.repeat(6)}`);
  });

  it('all of this was tried in the kind of sandbox that it says', () => {
    expect(cage.warmRuns > 0).toBe(warmth !== 'cold');
  });
});
