import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childrenOf, factsOf } from '../tier-c-bubblewrap/processes.ts';
import { Den, KINDS, LIFELINE, USER } from './den.fixture.ts';

/**
 * Ignores what can be ignored, leaves its session twice, and stops one of its own; all write down who
 * they are. Then does what it is told.
 */
function hydra(then: string): string {
  return `
    use POSIX (); use IO::Handle; $SIG{$_} = 'IGNORE' for qw(TERM INT HUP QUIT); $| = 1;
    sub note { open my $list, '>>', 'src/pids'; syswrite $list, "$$\\n"; }
    for (1..3) {
      next if fork;
      POSIX::setsid();
      POSIX::_exit(0) if fork;
      POSIX::setsid();
      close STDOUT; close STDERR;
      if (!fork) { note(); kill 'STOP', $$; }
      note(); sleep 600 while 1;
    }
    select undef, undef, undef, 0.01 until 6 == scalar(() = qx(cat src/pids) =~ /\\n/g);
    ${then}`;
}
const STAY = 'print "ready\\n"; sleep 600 while 1;';

function alive(list: string): readonly number[] {
  const pids = readFileSync(list, 'utf8').trim().split('\n').map(Number);
  expect(pids).toHaveLength(6);
  return pids.filter((pid) => factsOf(pid)?.isDead === false);
}

/** Those that do not end by themselves, and are ended then. */
async function leftOf(pids: readonly number[]): Promise<readonly number[]> {
  const isAlive = (pid: number) => factsOf(pid)?.isDead === false;
  const deadline = performance.now() + 5000;
  while (pids.some(isAlive) && performance.now() < deadline) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  const left = pids.filter(isAlive);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  return left;
}

async function endOf(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

describe.each(KINDS)('a life under Landlock, as %s gives it', (kind) => {
  let den: Den;
  beforeAll(async () => {
    den = await Den.open(kind);
  });
  afterAll(() => den[Symbol.asyncDispose]());

  it('ends in time with everything that hid, ignored and stopped', async () => {
    const list = join(den.workspace, 'src/pids');
    den.put('src/pids', '');
    const ended = await den.perl(hydra(STAY), { limits: { wallTimeMs: 3000 } });
    expect(ended.fault?.code).toBe('SANDBOX_TIMED_OUT');
    expect(alive(list)).toEqual([]);
    expect(readdirSync(join(den.folder, 'state'))).toEqual(['canary']);
  });

  it('ends when it is cancelled', async () => {
    const list = join(den.workspace, 'src/pids');
    den.put('src/pids', '');
    const ended = await den.perl(hydra(STAY), { onOutput: (_, cancel) => cancel() });
    expect(ended.fault?.code).toBe('CANCELLED');
    expect(alive(list)).toEqual([]);
  });

  it('ends when its command does, whatever was left behind', async () => {
    const list = join(den.workspace, 'src/pids');
    den.put('src/pids', '');
    const ended = await den.perl(hydra('POSIX::_exit(7);'));
    expect(ended.code).toBe(7);
    expect(alive(list)).toEqual([]);
    expect(ended.posture.weaknesses.join()).not.toContain('sought out');
  });

  it('ends with whoever made it, at once and all of it', async () => {
    await using own = await Den.open(kind);
    const list = join(own.workspace, 'src/pids');
    own.put('src/pids', '');
    await new Promise<void>((resolve) => {
      void own.perl(hydra(STAY), { onOutput: () => resolve() });
    });
    expect(alive(list)).toHaveLength(6);
    await own.kill();
    const deadline = performance.now() + 5000;
    while (alive(list).length > 0 && performance.now() < deadline) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(alive(list)).toEqual([]);
    // What it left lies there, until the next one comes.
    const state = join(own.folder, 'state');
    expect(readdirSync(state)).toHaveLength(2);
    await using next = await Den.open(kind, { folder: state });
    await next.run({});
    while (readdirSync(state).length > 1 && performance.now() < deadline + 10_000) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(readdirSync(state)).toEqual(['canary']);
  });

  it('ends with whoever started the one that made it', async () => {
    await using own = await Den.open(kind, { lifeline: LIFELINE });
    const list = own.put('src/pids', '');
    const pids = await new Promise<readonly number[]>((resolve) => {
      void own.perl(hydra(STAY), { onOutput: () => resolve(alive(list)) });
    });
    expect(pids).toHaveLength(6);
    await own.orphan();
    expect(await leftOf(pids)).toEqual([]);
  });

  it('ends with whoever made it when that one ends by itself', async () => {
    const own = await Den.open(kind);
    const list = own.put('src/pids', '');
    const pids = await new Promise<readonly number[]>((resolve) => {
      void own.perl(hydra(STAY), { onOutput: () => resolve(alive(list)) });
    });
    expect(pids).toHaveLength(6);
    await own[Symbol.asyncDispose]();
    expect(await leftOf(pids)).toEqual([]);
  });

  it('tells every ending exactly', async () => {
    expect(await den.sh('exit 0')).toMatchObject({ kind: 'exited', code: 0 });
    expect(await den.sh('exit 137')).toMatchObject({ kind: 'exited', code: 137 });
    expect(await den.sh('kill -9 $$')).toMatchObject({ kind: 'killed', signal: 'SIGKILL' });
    expect(await den.run({ executable: 'no-such-program' })).toMatchObject({
      kind: 'refused',
      fault: { code: 'SANDBOX_SPAWN_FAILED', isMissing: true },
    });
    expect(await den.run({ directory: '../..' })).toMatchObject({ kind: 'refused' });
  });

  it('has limits that bind', async () => {
    const bomb = await den.perl(
      'my $n = 0; while (1) { my $p = fork; last if !defined $p; if (!$p) { sleep 600; exit } $n++; last if $n > 300 } $| = 1; print $n; sleep 600',
      {
        limits: { processes: 30 },
        // Where others of its user end meanwhile there may be more, until somebody looks.
        onOutput: (text, cancel) => {
          if (Number(text) < 40) cancel();
        },
      },
    );
    expect(
      bomb.fault?.code === 'SANDBOX_QUOTA_EXCEEDED' || Number(bomb.stdout) < 40,
      `${bomb.stdout} processes`,
    ).toBe(true);
    const loud = await den.sh('yes', { limits: { outputBytes: 65_536 } });
    expect(loud.fault?.code).toBe('SANDBOX_QUOTA_EXCEEDED');
    expect(loud.stdout.length).toBe(65_536);
    const greedy = await den.perl('my @x; push @x, "x" x 10_000_000 while 1', {
      limits: { memoryBytes: 64 * 1024 * 1024 },
    });
    expect(greedy.code).not.toBe(0);
    const large = await den.sh('dd if=/dev/zero of=src/large bs=1M count=8', {
      limits: { fileBytes: 1024 * 1024 },
    });
    expect(large.code).not.toBe(0);
    const spinning = await den.sh('while :; do :; done', { limits: { cpuTimeMs: 1000 } });
    expect(spinning.fault?.code).toBe('SANDBOX_QUOTA_EXCEEDED');
  });

  it('has no more processes than it may when others of its user end meanwhile', async () => {
    const others = Array.from({ length: 40 }, () =>
      spawn('sleep', ['600'], {
        stdio: 'ignore',
        ...(process.geteuid?.() === 0 && { uid: USER, gid: USER }),
      }),
    );
    await Promise.all(others.map((each) => once(each, 'spawn')));
    const ended = await den.perl(
      '$| = 1; print "up\n"; select undef, undef, undef, 0.01 until -e "src/go"; my $n = 0; for (1..60) { my $p = fork; last if !defined $p; if (!$p) { close STDOUT; close STDERR; sleep 600; exit } $n++ } print $n',
      {
        limits: { processes: 30 },
        onOutput: (text) => {
          if (text !== 'up\n') return;
          void Promise.all(others.map(endOf)).then(() => den.put('src/go', ''));
        },
      },
    );
    rmSync(join(den.workspace, 'src/go'));
    // Where the kernel counts for the command alone it refuses; elsewhere all of it ends.
    if (ended.posture.memory === 'cgroup') {
      expect(Number(ended.stdout.split('\n')[1])).toBeLessThan(33);
    } else {
      expect(ended.fault).toMatchObject({
        code: 'SANDBOX_QUOTA_EXCEEDED',
        reason: 'the command had more than 30 processes at once',
      });
    }
  });

  it('is sought out when its keeper was killed from outside, and the result says so', async () => {
    const list = den.put('src/pids', '');
    const ended = await den.perl(hydra(STAY), {
      limits: { wallTimeMs: 5000 },
      onOutput: () => {
        for (const pid of childrenOf(den.pid)) process.kill(pid, 'SIGKILL');
      },
    });
    expect(ended.posture.weaknesses.join()).toContain('ended from outside');
    expect(alive(list)).toEqual([]);
  });

  it('goes on when those who ask for a mode are killed while they ask', async () => {
    const ended = await den.perl(
      `open my $f, '>', 'src/asked'; for my $round (1..60) { my @pids = map { my $p = fork; if (!$p) { chmod 0600 | ($_ & 7), 'src/asked' while 1; } $p } 1..3; select undef, undef, undef, 0.005; kill 9, @pids; waitpid $_, 0 for @pids; } chmod 0640, 'src/asked'; printf '%o', 07777 & (stat 'src/asked')[2];`,
    );
    expect(ended.stdout).toBe('640');
    expect(await den.sh('exit 5')).toMatchObject({ code: 5 });
  });

  it('has a temporary folder that is measured', async () => {
    const filler = await den.sh(
      'while :; do dd if=/dev/zero of=$TMPDIR/$i$i bs=1M count=4 2>/dev/null; i=x$i; done',
      { limits: { scratchBytes: 8 * 1024 * 1024, wallTimeMs: 30_000 } },
    );
    expect(filler.fault?.code).toBe('SANDBOX_QUOTA_EXCEEDED');
    expect(filler.fault?.reason).toContain('temporary folder');
    expect(readdirSync(join(den.folder, 'state'))).toEqual(['canary']);
  });

  it('leaves the host itself without any of it', async () => {
    const status = readFileSync(`/proc/${den.pid}/status`, 'utf8');
    expect(status).toContain('Seccomp:\t0');
    expect(status).toContain('NoNewPrivs:\t0');
  });
});
