import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Booth, CANARY, KINDS, USER } from './booth.fixture.ts';

const TRUSTING = { rules: { allowed: ['cat', 'yes', 'sleep'], trusted: ['sh', 'perl'] } };

/** Every process whose line holds that word. */
function alive(word: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(word);
      } catch {
        return false;
      }
    });
}

describe.each(KINDS)('a process of tier B, started by a %s', (kind) => {
  let booth: Booth;
  beforeAll(async () => {
    booth = await Booth.open(kind, TRUSTING);
  });
  afterAll(() => booth[Symbol.asyncDispose]());
  const sh = (script: string, limits = {}) =>
    booth.run({ executable: 'sh', arguments: ['-c', script], limits });

  it('runs in a process namespace of its own, as the owner of the workspace, without rights', async () => {
    const ended = await sh('id -u; id -G; grep -c . status; touch made; kill -0 $PPID; umask');
    expect(ended.stdout.split('\n').slice(0, 2)).toEqual([`${USER}`, `${USER}`]);
    expect(ended.posture.namespaces).toEqual(['user', 'pid', 'mnt']);
    expect(statSync(join(booth.workspace, 'made')).uid).toBe(USER);
    expect(booth.verdict.way).toBe('pid-namespace');
    expect(booth.verdict.findings.every(({ holds }) => holds)).toBe(true);
  });

  it('says what it does not do', async () => {
    const { posture } = await sh('true');
    expect(posture.executor).toBe('sandbox_tier_b_rlimits');
    expect(posture.weaknesses.join('\n')).toContain('nothing is enforced');
    expect(posture.weaknesses.join('\n')).toContain('`sh` is trusted');
  });

  it('gives it its streams, the program itself and nothing of ours', async () => {
    const ended = await booth.run({
      executable: 'perl',
      arguments: [
        '-e',
        String.raw`opendir(D,join(chr(47),'','proc','self','fd'));print join(' ',sort {$a<=>$b} grep {m{^\d+$} && $_ != fileno(D)} readdir D)`,
      ],
    });
    expect([ended.stderr, ended.stdout]).toEqual(['', '0 1 2 7 8']);
    const seen = await sh('cat <&4; cat <&5; cat <&9; env');
    expect(seen.stdout + seen.stderr).not.toContain(CANARY);
  });

  it('hands over input, both streams, exit codes and signals exactly', async () => {
    const echoed = await booth.run({ executable: 'cat', stdin: 'from outside' });
    expect(echoed.stdout).toBe('from outside');
    const ended = await sh('echo out; echo err >&2; exit 137');
    expect([ended.kind, ended.code, ended.stdout, ended.stderr]).toEqual([
      'exited',
      137,
      'out\n',
      'err\n',
    ]);
    expect(ended.outputSha256).toBe(createHash('sha256').update('out\nerr\n').digest('hex'));
    const killed = await sh('kill -SEGV $$');
    expect([killed.kind, killed.signal]).toEqual(['killed', 'SIGSEGV']);
  });

  it('ends by its wall time whatever was started, however it hides', async () => {
    const script =
      "trap '' TERM HUP INT; (setsid sleep 7654321 >x 2>&1 &) ; setsid sh -c 'setsid sleep 7654321 & sleep 7654321' >x 2>&1 & sleep 7654321";
    const ended = await sh(script, { wallTimeMs: 700 });
    expect([ended.kind, ended.fault?.kind]).toEqual(['killed', 'TimedOut']);
    expect(alive('7654321')).toEqual([]);
  });

  it('ends what a command leaves behind when it ends itself', async () => {
    const ended = await sh('setsid sleep 7654322 >x 2>&1 </dev/null & echo done');
    expect([ended.code, ended.stdout]).toEqual([0, 'done\n']);
    expect(alive('7654322')).toEqual([]);
  });

  it('stops output at its cap', async () => {
    const ended = await booth.run({ executable: 'yes', limits: { outputBytes: 100_000 } });
    expect(ended.fault?.kind).toBe('QuotaExceeded');
    expect([ended.stdout.length, ended.truncated.stdout]).toEqual([100_000, true]);
  });

  it('binds processor time, file size, open files and memory', async () => {
    const spin = await sh('while :; do :; done', { cpuTimeMs: 300 });
    expect(spin.fault?.kind).toBe('QuotaExceeded');
    const large = await sh('yes >big', { fileBytes: 65_536 });
    expect(statSync(join(booth.workspace, 'big')).size).toBeLessThanOrEqual(65_536);
    expect(large.kind).not.toBe('refused');
    const files = await sh('ulimit -n; ulimit -n 5000 && echo raised', { openFiles: 64 });
    expect(files.stdout).toBe('64\n');
    const hog = await booth.run({
      executable: 'perl',
      arguments: ['-e', '$x = "a" x 400000000; print length $x'],
      limits: { memoryBytes: 64 * 1024 * 1024 },
    });
    expect(hog.stdout).toBe('');
    expect(hog.code).not.toBe(0);
  });

  it('bounds a fork bomb', async () => {
    const bomb =
      'my $n = 0; for (1..400) { my $p = fork; last unless defined $p; if (!$p) { sleep 60; exit } $n++ } print $n';
    const ended = await booth.run({
      executable: 'perl',
      arguments: ['-e', bomb],
      limits: { processes: 30, wallTimeMs: 20_000 },
    });
    expect(ended.fault?.kind === 'TimedOut' || Number(ended.stdout) < 40).toBe(true);
  });

  it('ends with the host that started it', async () => {
    await using other = await Booth.open(kind, TRUSTING);
    const script = 'touch up; setsid sleep 7654323 >x 2>&1 & sleep 7654323';
    void other.run({ executable: 'sh', arguments: ['-c', script] });
    while (!existsSync(join(other.workspace, 'up')))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await other.kill();
    while (alive('7654323').length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(alive('7654323')).toEqual([]);
    await using next = await Booth.open(kind, TRUSTING);
    expect((await next.run({ executable: 'cat', stdin: 'x' })).stdout).toBe('x');
  });
});

describe.each(KINDS)('without a process namespace, started by a %s', (kind) => {
  it('names the step down, and still seeks out what was started', async () => {
    await using booth = await Booth.open(kind, { ...TRUSTING, bwrap: '/nonexistent/bwrap' });
    expect(booth.verdict.way).toBe('process-group');
    expect(booth.verdict.weaknesses.join()).toContain('best effort');
    const script = '(setsid sleep 7654324 >x 2>&1 &); setsid sleep 7654324 >x 2>&1 & sleep 7654324';
    const ended = await booth.run({
      executable: 'sh',
      arguments: ['-c', script],
      limits: { wallTimeMs: 500 },
    });
    expect(ended.fault?.kind).toBe('TimedOut');
    expect(ended.posture.namespaces).toEqual([]);
    expect(ended.posture.weaknesses.join()).toContain('best effort');
    expect(alive('7654324')).toEqual([]);
    const plain = await booth.run({ executable: 'cat', stdin: 'x' });
    expect([plain.code, plain.stdout]).toEqual([0, 'x']);
  });
});

describe.runIf(KINDS.includes('root'))('where the kernel gives out no namespaces', () => {
  it('repeats in the result what bwrap said, and takes the other way', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palyra-bwrap-'));
    const bwrap = join(folder, 'bwrap');
    chmodSync(folder, 0o755);
    writeFileSync(
      bwrap,
      "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n",
    );
    chmodSync(bwrap, 0o755);
    await using booth = await Booth.open('root', { ...TRUSTING, bwrap });
    const ended = await booth.run({ executable: 'cat', stdin: 'x' });
    rmSync(folder, { recursive: true });
    expect(ended.stdout).toBe('x');
    expect(ended.posture.weaknesses.join()).toContain('No permissions to create a new namespace');
  });
});

describe.runIf(KINDS.includes('root'))('a workspace that belongs to root', () => {
  it('is refused with the command that mends it', async () => {
    await using booth = await Booth.open('root');
    chownSync(booth.workspace, 0, 0);
    const ended = await booth.run({ executable: 'cat' });
    expect(ended.fault?.kind).toBe('UnsupportedPlatform');
    expect(ended.fault?.reason).toContain('whom no limit binds');
    expect(ended.fault?.help).toContain('chown');
  });
});
