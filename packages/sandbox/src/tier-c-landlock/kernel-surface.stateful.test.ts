import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ARM64_SYSCALLS } from '../seccomp/syscalls-arm64.ts';
import { X86_64_SYSCALLS } from '../seccomp/syscalls-x86-64.ts';
import { Den, KINDS, USER } from './den.fixture.ts';

const CALLS: Readonly<Record<string, number>> =
  process.arch === 'arm64' ? ARM64_SYSCALLS : X86_64_SYSCALLS;
const [EPERM, EBADF, ENOSYS] = [1, 9, 38];

/** Each call with its arguments, as Perl spells them, and what must come of it. */
function refusals(neighbour: number): readonly (readonly [string, string, number])[] {
  return [
    ['ptrace', `16, ${neighbour}, 0, 0`, EPERM],
    ['process_vm_readv', `${neighbour}, 0, 0, 0, 0, 0`, EPERM],
    ['unshare', '0x10000000', EPERM],
    ['setns', '0, 0', EPERM],
    ['clone', '0x10000011, 0, 0, 0, 0', EPERM],
    ['clone3', '0, 0', ENOSYS],
    ['bpf', '0, 0, 0', EPERM],
    ['perf_event_open', '0, 0, 0, 0, 0', EPERM],
    ['userfaultfd', '0', EPERM],
    ['keyctl', '0, 0, 0, 0, 0', EPERM],
    ['io_uring_setup', '1, 0', ENOSYS],
    ['io_uring_enter', '0, 0, 0, 0, 0', ENOSYS],
    ['mount', '0, 0, 0, 0, 0', EPERM],
    ['chroot', '0', EPERM],
    ['open_by_handle_at', '0, 0, 0', EPERM],
    ['personality', '0x0400000', EPERM],
    ['kill', `${neighbour}, 0`, EPERM],
    ['kill', `${neighbour}, 9`, EPERM],
    ['tkill', `${neighbour}, 9`, EPERM],
    ['tgkill', `${neighbour}, ${neighbour}, 9`, EPERM],
    ['prlimit64', `${neighbour}, 7, 0, 0`, EPERM],
    ['setpriority', `0, ${neighbour}, 19`, EPERM],
    ['setpriority', '2, 0, 19', EPERM],
    ['ioprio_set', '3, 0, 0', EPERM],
    ['sched_setaffinity', `${neighbour}, 0, 0`, EPERM],
    ['sched_setscheduler', `${neighbour}, 0, 0`, EPERM],
    ['shmget', '1, 4096, 0', EPERM],
    ['semget', '1, 1, 0', EPERM],
    ['msgget', '1, 0', EPERM],
    ['mq_open', '0, 0, 0, 0', EPERM],
    ['inotify_init1', '0', ENOSYS],
    ['socketpair', '1, 2, 0, 0', EPERM],
    ...[1, 2, 10, 16, 17, 38, 40, 44].map(
      (family) => ['socket', `${family}, 1, 0`, EPERM] as const,
    ),
    ['landlock_restrict_self', '-1, 0', EBADF],
  ];
}

describe.each(KINDS)('the kernel under Landlock, for what %s makes', (kind) => {
  let den: Den;
  beforeAll(async () => {
    den = await Den.open(kind);
  });
  afterAll(() => den[Symbol.asyncDispose]());

  it('refuses what reaches other processes, the network or itself, and they stay as they are', async () => {
    const account = process.geteuid?.() === 0 ? { uid: USER, gid: USER } : {};
    const neighbour = spawn('/bin/sleep', ['600'], { ...account, stdio: 'ignore', cwd: '/' });
    try {
      const calls = refusals(neighbour.pid ?? -1).filter(([name]) => CALLS[name] !== undefined);
      const script = calls.map(
        ([name, words]) =>
          `$! = 0; syscall(${CALLS[name]}, ${words}); print "${name} ${words} ", $!+0, "\\n";`,
      );
      const { stdout } = await den.perl(script.join(' '));
      expect(stdout.trim().split('\n')).toEqual(calls.map((call) => call.join(' ')));
      expect(neighbour.exitCode ?? neighbour.signalCode).toBeNull();
    } finally {
      neighbour.kill('SIGKILL');
      await once(neighbour, 'exit');
    }
  });

  it('lets a signal to everybody meet nobody but the command’s own', async () => {
    const account = process.geteuid?.() === 0 ? { uid: USER, gid: USER } : {};
    const neighbour = spawn('/bin/sleep', ['600'], { ...account, stdio: 'ignore', cwd: '/' });
    try {
      const { stdout, kind: how } = await den.perl(
        '$SIG{TERM} = "IGNORE"; my $child = fork; if (!$child) { $SIG{TERM} = "DEFAULT"; sleep 600; } select undef, undef, undef, 0.1; print kill("KILL", -1), "\\n"; waitpid $child, 0; print $? & 127, "\\n"; for my $pid (getppid, 1, ${\\ $$ + 100000}) { print kill(9, $pid) }',
      );
      expect(stdout).toMatch(/^1\n9\n/);
      expect(how).toBe('killed');
      expect(neighbour.exitCode ?? neighbour.signalCode).toBeNull();
      const again = await den.sh('echo still there');
      expect(again.stdout).toBe('still there\n');
    } finally {
      neighbour.kill('SIGKILL');
      await once(neighbour, 'exit');
    }
  });

  it('shows a command nobody to signal but its own, not even its keeper', async () => {
    const { stdout } = await den.perl(
      'my @met = grep { kill 0, $_ } 2..$$ + 50; print join ",", map { $_ == $$ ? "self" : $_ == getppid ? "starter" : $_ } @met;',
    );
    expect(stdout).toBe('starter,self');
  });

  it('has no socket for a server that listens, by address, by file or by a bare name', async () => {
    await using servers = new AsyncDisposableStack();
    const listen = async (where: string | number) => {
      const server = createServer((socket) => socket.destroy());
      servers.defer(() => void server.close());
      server.listen(
        typeof where === 'number' ? { port: where, host: '127.0.0.1' } : { path: where },
      );
      await once(server, 'listening');
      return server.address();
    };
    const address = await listen(0);
    const port = typeof address === 'object' ? address?.port : 0;
    const path = join(den.workspace, 'src/socket');
    await listen(path);
    const { stdout } = await den.perl(
      `use Socket; print 'made ' if socket my $a, PF_INET, SOCK_STREAM, 0; print 'udp ' if socket my $u, PF_INET, SOCK_DGRAM, 0; print 'unix ' if socket my $b, PF_UNIX, SOCK_STREAM, 0; print 'pair ' if socketpair my $c, my $d, AF_UNIX, SOCK_DGRAM, 0; socketpair my $e, my $f, AF_UNIX, SOCK_STREAM, 0 or print "no pair $!"; print 'connected ' if connect $e, sockaddr_un('${path}'); print 'inet ' if connect $e, sockaddr_in(${port}, INADDR_LOOPBACK); print 'sent ' if defined send $e, 'x', 0, sockaddr_un('${path}'); print 'end'`,
    );
    expect(stdout).toBe('end');
  });

  it('gives no rights through set-id programs, and shows nothing of other processes', async () => {
    const { stdout } = await den.perl(
      'my $line = qx(/usr/bin/su root -c id 2>/dev/null </dev/null); print "su " if $line =~ /uid=0/; opendir my $d, "/proc" and print "listed "; for my $pid (1, getppid) { for my $name ("environ", "cmdline", "maps", "mem", "status") { print "$pid/$name " if open my $f, "<", "/proc/$pid/$name"; } print "root " if opendir my $r, "/proc/$pid/root"; print "fd " if opendir my $r, "/proc/$pid/fd"; } print "end"',
    );
    expect(stdout).toBe('end');
  });

  it.each([
    ['none', { mode: 'none' }],
    ['preflight', { mode: 'preflight', hosts: [] }],
    ['strict with hosts', { mode: 'strict', hosts: ['example.com'], secrets: [] }],
  ] as const)('is not even asked for a network: %s is refused', async (_, egress) => {
    const { kind: how, fault } = await den.run({ egress });
    expect(how).toBe('refused');
    expect(fault?.code).toBe('SANDBOX_EGRESS_DENIED');
  });
});
