import { createHash } from 'node:crypto';
import { readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ARM64_SYSCALLS } from '../seccomp/syscalls-arm64.ts';
import { X86_64_SYSCALLS } from '../seccomp/syscalls-x86-64.ts';
import { CAGES, Cage } from './cage.fixture.ts';
import { notedPoints } from './guard/ledger.ts';

const MIB = 1024 * 1024;
const NUMBERS = process.arch === 'arm64' ? ARM64_SYSCALLS : X86_64_SYSCALLS;
const MEMORY = { fault: { kind: 'QuotaExceeded', code: 'SANDBOX_QUOTA_EXCEEDED' } };

/** Tells how many megabytes fitted. */
const FILL_CONNECTIONS = `
import socket
listener = socket.socket(); listener.bind(('127.0.0.1', 0)); listener.listen(200)
kept = []; sent = 0
for _ in range(100):
  near = socket.socket(); near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
  near.connect(listener.getsockname()); near.setblocking(False)
  kept += [near, listener.accept()[0]]
  try:
    while True: sent += near.send(b'x' * 65536)
  except BlockingIOError: pass
print(sent >> 20)`;

describe.each(CAGES)('a hog in a sandbox of $kind, $warmth', ({ kind, warmth }) => {
  let cage: Cage;
  beforeAll(async () => {
    cage = await Cage.start({ kind, warmth });
  });
  afterAll(() => cage[Symbol.asyncDispose]());
  // Cold only where it makes no difference to the kernel when the sandbox was made.

  it('that forks without end reaches its number of processes and not more', async () => {
    const ended = await cage.perl(
      `$| = 1; my $n = 0; while (1) { my $p = fork(); last unless defined $p; if ($p == 0) { sleep 600 } $n++; last if $n > 500 } print "$n\\n";`,
      { limits: { processes: 30 } },
    );
    expect(ended.code).toBe(0);
    expect(Number(ended.stdout)).toBeGreaterThan(20);
    expect(Number(ended.stdout)).toBeLessThan(30);
  });

  it('that is a fork bomb ends with its time', async () => {
    const ended = await cage.perl('while (1) { fork() }', {
      limits: { processes: 40, wallTimeMs: 1500 },
    });
    expect(ended.fault?.kind).toMatch(/TimedOut|QuotaExceeded/);
  });

  it('that takes memory of its own is refused it or ended', async () => {
    const ended = await cage.perl(
      `my @a; for (1..100) { push @a, 'x' x (16 * 1024 * 1024) } print "had it all"`,
      { limits: { memoryBytes: 128 * MIB } },
    );
    expect(ended.stdout).not.toContain('had it all');
    expect(ended.kind === 'killed' || ended.code !== 0).toBe(true);
  });

  it('that takes memory in many processes together is ended', async () => {
    const ended = await cage.perl(
      `for (1..8) { if (!fork()) { my $a = 'x' x (100 * 1024 * 1024); substr($a, $_ * 4096, 1) = 'y' for 1..25000; sleep 600 } } wait; sleep 600`,
      { limits: { memoryBytes: 300 * MIB } },
    );
    expect(ended).toMatchObject(MEMORY);
  });

  it('that shares memory with nobody but itself is ended', async () => {
    // mmap of shared, anonymous memory, by the name that python has for it.
    const ended = await cage.run({
      executable: 'python3',
      arguments: [
        '-c',
        'import mmap\nm = mmap.mmap(-1, 1 << 30)\nfor i in range(0, 1 << 30, 4096): m[i] = 1\nprint("had it all")\nimport time; time.sleep(600)',
      ],
      limits: { memoryBytes: 200 * MIB },
    });
    expect(ended).toMatchObject(MEMORY);
  });

  it('that hides memory behind a descriptor or a key is refused or ended', async () => {
    const memfd = await cage.run({
      executable: 'python3',
      arguments: [
        '-c',
        'import os\nf = os.memfd_create("x")\nfor i in range(1000): os.write(f, b"x" * (1 << 20))\nprint("had it all")',
      ],
      limits: { memoryBytes: 128 * MIB, fileBytes: 4096 * MIB },
    });
    expect(memfd.stdout).toBe('');
    const shared = await cage.perl(
      `my $id = shmget(0, 1 << 30, 01600); die "refused" unless defined $id; my $b = 'x' x (1 << 20); for (0..1023) { shmwrite($id, $b, $_ << 20, 1 << 20) } print "had it all"`,
      { limits: { memoryBytes: 128 * MIB } },
    );
    expect(shared.stdout).toBe('');
  });

  // Each would take a quarter of a gigabyte that no process is seen to have.
  it.each([
    ['semaphores', 'perl', 'for (1..120) { semget(0, 32000, 01600) // die "refused" }'],
    [
      'names of empty files',
      'perl',
      'for (1..250_000) { open my $f, ">", "/tmp/$_" or die "full" }',
    ],
    [
      'tables of pages',
      'python3',
      'import mmap\nsize = 128 << 30\nm = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)\nfor i in range(0, size, 2 << 20): m[i]',
    ],
  ])('that takes memory of the kernel by %s is refused or ended', async (_, program, script) => {
    const tell =
      program === 'perl' ? 'sleep 1; print "had it all"' : 'import time; time.sleep(1); print(1)';
    const ended = await cage.run({
      executable: program,
      arguments: [program === 'perl' ? '-e' : '-c', `${script}\n${tell}`],
      limits: { memoryBytes: 64 * MIB },
    });
    expect(ended.stdout).toBe('');
    expect(ended.fault?.kind ?? ended.stderr).toMatch(/^QuotaExceeded$|refused|full/);
  });

  // No process is seen to have it, and the whole machine has one ceiling for it.
  it.runIf(kind === 'root')('that leaves much in connections meets its memory', async () => {
    const ended = await cage.run({
      executable: 'python3',
      arguments: ['-c', FILL_CONNECTIONS],
      limits: { memoryBytes: 64 * MIB },
    });
    expect(ended.stderr).toBe('');
    expect(Number(ended.stdout)).toBeGreaterThan(1);
    expect(Number(ended.stdout)).toBeLessThan(128);
  });

  it('that fills /tmp and /dev/shm meets their size', async () => {
    const ended = await cage.sh(
      'for d in /tmp /dev/shm; do dd if=/dev/zero of=$d/x bs=64k 2>/dev/null; stat -c %s $d/x; done; dd if=/dev/zero of=/dev/x bs=64k count=1 2>/dev/null || echo dev; dd if=/dev/zero of=/x bs=64k count=1 2>/dev/null || echo root',
      { limits: { scratchBytes: 8 * MIB } },
    );
    expect(ended.stdout).toBe(`${4 * MIB}\n${4 * MIB}\ndev\nroot\n`);
  });

  it('that burns processor time in many processes is ended by the sum of it', async () => {
    const ended = await cage.sh('for i in 1 2 3 4; do (while :; do :; done) & done; wait', {
      limits: { cpuTimeMs: 600, wallTimeMs: 60_000 },
    });
    expect(ended).toMatchObject({
      kind: 'killed',
      fault: {
        kind: 'QuotaExceeded',
        reason: 'the command used more than 600 ms of processor time',
      },
    });
  });

  it('that fills the disk is ended at the size of a file', async () => {
    const ended = await cage.run({
      executable: 'dd',
      arguments: ['if=/dev/zero', 'of=big', 'bs=64k'],
      limits: { fileBytes: MIB },
    });
    expect(ended).toMatchObject({ kind: 'killed', signal: 'SIGXFSZ', ...MEMORY });
    expect(statSync(join(cage.workspace, 'big')).size).toBe(MIB);
  });

  it('cannot take its limits back', async () => {
    const ended = await cage.sh(
      'ulimit -n 100000; ulimit -d unlimited; ulimit -f unlimited; ulimit -t unlimited; ulimit -p 100000; exit 0',
      { limits: { openFiles: 64, processes: 10 } },
    );
    expect(ended.stderr.match(/ulimit: error setting limit/g)?.length ?? 0).toBeGreaterThan(0);
    const raised = await cage.sh('ulimit -H -n; ulimit -H -p; ulimit -H -f', {
      limits: { openFiles: 64, processes: 10, fileBytes: MIB },
    });
    expect(raised.stdout).toBe('64\n12\n2048\n');
  });

  it('that starts threads without end meets its number of processes', async () => {
    const ended = await cage.run({
      executable: 'python3',
      arguments: [
        '-c',
        'import threading, os\nn = 0\ntry:\n  for i in range(100000):\n    threading.Thread(target=threading.Event().wait, daemon=True).start(); n += 1\nexcept RuntimeError: pass\nos.write(1, str(n).encode()); os._exit(0)',
      ],
      limits: { processes: 40 },
    });
    expect(Number(ended.stdout)).toBeGreaterThan(20);
    expect(Number(ended.stdout)).toBeLessThan(40);
  });

  it('that watches, pipes and polls without end meets its number of descriptors', async () => {
    const { inotify_init1: watch, epoll_create1: poll } = NUMBERS;
    const ended = await cage.perl(
      `use POSIX (); for my $call (${watch}, ${poll}) { my @n; while ((my $d = syscall($call, 0)) >= 0) { push @n, $d } print scalar @n, "\n"; POSIX::close($_) for @n } my @p; while (pipe(my $r, my $w)) { push @p, $r, $w } print scalar @p, "\n"`,
      { limits: { openFiles: 100 } },
    );
    const counts = ended.stdout.trim().split('\n').map(Number);
    expect(counts).toHaveLength(3);
    for (const count of counts) {
      expect(count).toBeGreaterThan(20);
      expect(count).toBeLessThan(100);
    }
  });

  it('that opens files without end meets its number of them', async () => {
    const ended = await cage.perl(
      'my @f; while (open(my $f, "<", "/dev/null")) { push @f, $f } print scalar @f',
      { limits: { openFiles: 64 } },
    );
    expect(Number(ended.stdout)).toBeLessThan(64);
  });

  it.each(['yes', 'yes >&2', 'yes & yes >&2', 'tr "\\\\0" x < /dev/zero', 'cat /dev/urandom'])(
    'that writes without end (%s) is cut at its cap, and the hash is of what is given',
    async (script) => {
      const ended = await cage.sh(script, { limits: { outputBytes: 200_000 } });
      expect(ended).toMatchObject({
        kind: 'killed',
        fault: { reason: 'the command wrote more than 200000 bytes of output' },
      });
      expect(ended.truncated.stdout || ended.truncated.stderr).toBe(true);
      if (script.includes('random')) return;
      expect(ended.stdout.length + ended.stderr.length).toBe(200_000);
      const hash = createHash('sha256').update(ended.stdout).update(ended.stderr).digest('hex');
      expect(ended.outputSha256).toBe(hash);
    },
  );

  it('that writes in the smallest pieces is kept whole up to the cap', async () => {
    const ended = await cage.perl('$| = 1; print "x" for 1..20000; print STDERR "\\xff\\e[31m"', {
      limits: { outputBytes: 20_010 },
    });
    expect(ended).toMatchObject({
      kind: 'exited',
      code: 0,
      truncated: { stdout: false, stderr: false },
    });
    expect(ended.stdout).toBe('x'.repeat(20_000));
  });

  it('leaves no group, no mount and no file of its own behind', async () => {
    await cage.sh('true');
    const isOurs = (name: string) => name.startsWith(`palyra-`) && !name.startsWith('palyra-trial');
    const state = readdirSync(join(cage.folder, 'state'));
    expect(state.filter(isOurs)).toEqual([]);
    expect(notedPoints(join(cage.folder, 'state/ledger'))).toEqual([]);
  });

  it('is made as ever when somebody has removed what it is mounted on', async () => {
    await cage.sh('true');
    const places = join(cage.folder, 'state/places');
    for (const name of readdirSync(places)) rmdirSync(join(places, name));
    const ends = [await cage.sh('true'), await cage.sh('true')];
    expect(ends.at(-1)).toMatchObject({ kind: 'exited', code: 0 });
  });

  it('is told how its memory was limited', async () => {
    const { posture } = await cage.sh('true');
    expect(posture.namespaces).toEqual(['user', 'pid', 'mnt', 'ipc', 'uts', 'cgroup', 'net']);
    expect(posture.weaknesses).toHaveLength(posture.memory === 'cgroup' ? 0 : 1);
  });

  it('all of this was tried in the kind of sandbox that it says', () => {
    expect(cage.warmRuns > 0).toBe(warmth !== 'cold');
  });
});
