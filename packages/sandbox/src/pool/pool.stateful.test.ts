import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CANARY, Cage, KINDS, type Run } from '../tier-c-bubblewrap/cage.fixture.ts';
import { childrenOf } from '../tier-c-bubblewrap/processes.ts';

describe.each(KINDS)('a pool of warm sandboxes of %s', (kind) => {
  let cage: Cage;
  beforeAll(async () => {
    cage = await Cage.start({ kind, warmth: 'pool' });
  });
  beforeEach(async () => {
    await cage.pool('drain');
    await cage.sh('true');
    await cage.pool('settle');
  });
  afterAll(() => cage[Symbol.asyncDispose]());

  it('gives each to one command alone', async () => {
    const seen = [];
    for (let left = 4; left > 0; left -= 1) {
      const ended = await cage.sh('ls -A /tmp; echo x > /tmp/left; sleep 600 >/dev/null 2>&1 &');
      seen.push([ended.stdout, ended.posture.isWarm]);
      await cage.pool('settle');
    }
    expect(seen).toEqual(Array.from({ length: 4 }, () => ['home\n', true]));
    // Two wait for the next command, and nothing else is left of all of them.
    await expect.poll(() => cage.bwraps().length).toBe(2);
  });

  it.each<[string, Run]>([
    ['principal', { principal: 'somebody else' }],
    ['session', { session: 'another' }],
    ['network', { egress: { mode: 'none' } }],
    ['size of its scratch folders', { limits: { scratchBytes: 1024 * 1024 } }],
  ])('gives none to another %s, and keeps it for its own', async (_, other) => {
    expect((await cage.sh('true', other)).posture.isWarm).toBe(false);
    expect((await cage.sh('true')).posture.isWarm).toBe(true);
  });

  it('gives none that was made under other rules, to nobody', async () => {
    const policySetHash = 'f'.repeat(64);
    expect((await cage.sh('true', { policySetHash })).posture.isWarm).toBe(false);
    expect((await cage.sh('true')).posture.isWarm).toBe(false);
  });

  it('gives none that was made before a secret came into the workspace', async () => {
    cage.put('.env.local', CANARY);
    const ended = await cage.sh('cat .env.local');
    expect(ended.posture.isWarm).toBe(false);
    expect(ended.stdout).toBe('');
    expect(ended.stderr).toContain('Permission denied');
    await cage.pool('settle');
    const next = await cage.sh('cat .env.local');
    expect(next).toMatchObject({ stdout: '', posture: { isWarm: true } });
  });

  it('hides a secret in a folder that took the place of one that was known without', async () => {
    await cage.sh('mkdir -p known/deep other/deep');
    cage.put('other/deep/.env', CANARY);
    await cage.sh('touch known/deep/new');
    await cage.pool('settle');
    const [known, other] = [join(cage.workspace, 'known'), join(cage.workspace, 'other')];
    renameSync(known, `${known}-before`);
    renameSync(other, known);
    const ended = await cage.sh('ls known/deep; cat known/deep/.env');
    expect(ended).toMatchObject({ stdout: '' });
    expect(ended.stderr).toContain('Permission denied');
    for (const name of ['known', 'known-before']) {
      rmSync(join(cage.workspace, name), { recursive: true });
    }
  });

  it('gives none whose mask was exchanged away', async () => {
    cage.put('.env', CANARY);
    await cage.sh('true');
    await cage.pool('settle');
    cage.put('written', CANARY);
    renameSync(join(cage.workspace, 'written'), join(cage.workspace, '.env'));
    const ended = await cage.sh('cat .env');
    expect(ended).toMatchObject({ stdout: '', posture: { isWarm: false } });
  });

  it('gives none of a workspace that is another folder now', async () => {
    const old = `${cage.workspace}-old`;
    renameSync(cage.workspace, old);
    mkdirSync(cage.workspace, { mode: 0o777 });
    cage.makeWorkspace('next');
    rmdirSync(cage.workspace);
    renameSync(join(cage.folder, 'next'), cage.workspace);
    const ended = await cage.sh('echo here > file');
    expect(ended).toMatchObject({ code: 0, posture: { isWarm: false } });
    expect(readFileSync(join(cage.workspace, 'file'), 'utf8')).toBe('here\n');
    expect(readdirSync(old)).not.toContain('file');
  });

  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'gives none that somebody met with %s, and the command ends as ever',
    async (signal) => {
      const shells = cage
        .bwraps()
        .flatMap((bwrap) => childrenOf(bwrap))
        .flatMap((first) => childrenOf(first));
      expect(shells).toHaveLength(2);
      for (const shell of shells) process.kill(shell, signal);
      expect(await cage.sh('echo same; exit 3')).toMatchObject({
        kind: 'exited',
        code: 3,
        stdout: 'same\n',
        posture: { isWarm: false },
      });
    },
  );

  it('gives none whose bwrap somebody has ended, and forgets it', async () => {
    const before = cage.bwraps();
    for (const bwrap of before) process.kill(bwrap, 'SIGKILL');
    await expect.poll(() => cage.bwraps().filter((pid) => before.includes(pid))).toEqual([]);
    const ended = await cage.sh('cat', { stdin: 'mine\n' });
    expect(ended).toMatchObject({ code: 0, stdout: 'mine\n', posture: { isWarm: false } });
  });

  it('leaves no descriptor of those that nobody has used', async () => {
    const lives = async () => {
      await cage.sh('true');
      await cage.pool('settle');
      for (let life = 0; life < 5; life += 1) await cage.pool('age');
      await cage.pool('drain');
      return readdirSync(`/proc/${cage.pid}/fd`).length;
    };
    const first = await lives();
    await lives();
    // What the kernel takes its time to let go of is let go of behind the answer.
    await expect.poll(() => readdirSync(`/proc/${cage.pid}/fd`).length).toBeLessThanOrEqual(first);
  });

  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'loses nothing of an input that follows where somebody met it with %s',
    async (signal) => {
      const starters = cage
        .bwraps()
        .flatMap((bwrap) => childrenOf(bwrap))
        .flatMap((first) => childrenOf(first));
      for (const starter of starters) process.kill(starter, signal);
      const ended = await cage.sh('cat', { stdin: 'one\n', input: ['two\n', 'three\n'] });
      expect(ended).toMatchObject({ stdout: 'one\ntwo\nthree\n', posture: { isWarm: false } });
    },
  );

  it('shows nothing of a secret that a link led to before it was there', async () => {
    cage.putFolder('node_modules');
    await cage.sh('ln -s node_modules/later .env');
    await cage.pool('settle');
    await cage.sh('true');
    await cage.pool('settle');
    cage.put('.env', CANARY);
    const ended = await cage.sh('cat node_modules/later');
    expect(ended).toMatchObject({ stdout: '' });
    rmSync(join(cage.workspace, '.env'));
    rmSync(join(cage.workspace, 'node_modules'), { recursive: true });
  });

  it.runIf(kind === 'root')('shows nothing of a secret that was mounted meanwhile', async () => {
    const [outside, folder] = [cage.makeWorkspace('mounted'), cage.putFolder('data')];
    writeFileSync(join(outside, '.env'), CANARY);
    await cage.sh('true');
    await cage.pool('settle');
    const mount = (...words: readonly string[]) =>
      execFileSync('nsenter', [`--mount=/proc/${cage.pid}/ns/mnt`, ...words]);
    mount('mount', '--bind', outside, folder);
    try {
      const first = await cage.sh('cat data/.env');
      await cage.pool('settle');
      const second = await cage.sh('cat data/.env');
      expect([first.stdout, second.stdout]).toEqual(['', '']);
    } finally {
      await cage.pool('drain');
      mount('umount', '-l', folder);
    }
  });

  it('says always that there was too much output, whatever came first', async () => {
    const codes = new Set<string | undefined>();
    for (let left = 8; left > 0; left -= 1) {
      const run = { limits: { outputBytes: 20_000 } };
      codes.add((await cage.sh('head -c 30000 /dev/zero', run)).fault?.code);
      await cage.pool('settle');
    }
    expect([...codes]).toEqual(['SANDBOX_QUOTA_EXCEEDED']);
  });

  it('holds a command to limits that came after its sandbox', async () => {
    const bounded = await cage.perl(
      'my $n = 0; while (1) { my $p = fork(); last unless defined $p; if ($p == 0) { sleep 600 } last if ++$n > 500 } print $n;',
      { limits: { processes: 30 } },
    );
    expect(bounded.posture.isWarm).toBe(true);
    expect(Number(bounded.stdout)).toBeLessThanOrEqual(32);
    const hog = await cage.perl(
      `for (1..8) { if (!fork()) { my $a = 'x' x (30 * 1024 * 1024); substr($a, $_ * 4096, 1) = 'y' for 1..7500; sleep 600 } } wait; sleep 600`,
      { limits: { memoryBytes: 100 * 1024 * 1024, wallTimeMs: 30_000 } },
    );
    expect(hog).toMatchObject({
      posture: { isWarm: true },
      fault: { code: 'SANDBOX_QUOTA_EXCEEDED' },
    });
  });

  it('tells no command the secret of another, nor the list of processes', async () => {
    const secret = `hidden-${kind}`;
    const listed: string[] = [];
    const first = await cage.sh('echo up; echo $TOKEN | wc -c', {
      environment: { TOKEN: secret },
      onOutput: () => listed.push(...commandLinesWith(secret)),
    });
    expect(first.stdout).toBe(`up\n${secret.length + 1}\n`);
    expect(listed).toEqual([]);
    await cage.pool('settle');
    const next = await cage.sh('env; cat /proc/*/environ /proc/*/cmdline; ls -AR /tmp');
    expect(next.posture.isWarm).toBe(true);
    expect(next.stdout).not.toContain(secret);
  });

  it('expects the next command after the last one, however long that took', async () => {
    const begun = Promise.withResolvers<void>();
    const long = cage.sh('echo up; until [ -e over ]; do sleep 0.01; done', {
      limits: { wallTimeMs: 3_600_000 },
      onOutput: () => begun.resolve(),
    });
    await begun.promise;
    for (let lives = 4; lives > 0; lives -= 1) await cage.pool('age');
    cage.put('over', '');
    expect(await long).toMatchObject({ code: 0, posture: { isWarm: true } });
    await cage.pool('settle');
    expect((await cage.sh('true')).posture.isWarm).toBe(true);
  });

  it('of two serves fifty commands at once, and none hears of another', async () => {
    const words = Array.from({ length: 50 }, (_, place) => `word-${place}`);
    const all = await Promise.all(
      words.map((word) =>
        cage.sh('cat; ls -A /tmp; echo "$WORD" > /tmp/x; cat /tmp/x', {
          stdin: word,
          environment: { WORD: word },
        }),
      ),
    );
    expect(all.map(({ stdout }) => stdout)).toEqual(words.map((word) => `${word}home\n${word}\n`));
    expect(all.filter(({ posture }) => posture.isWarm)).toHaveLength(2);
  });

  it('leaves nothing in a workspace when it is drained', async () => {
    const isMask = (name: string) => ['.envrc', '.git', '.vscode', 'HEAD'].includes(name);
    expect(readdirSync(cage.workspace).filter(isMask)).toHaveLength(4);
    await cage.pool('drain');
    expect(readdirSync(cage.workspace).filter(isMask)).toEqual([]);
    expect(cage.bwraps()).toEqual([]);
    writeFileSync(join(cage.workspace, '.envrc'), 'mine');
    expect((await cage.sh('cat .envrc')).stdout).toBe('mine');
  });

  it('moves no folder away from under somebody who stands in it', async () => {
    const stood = openSync(join(cage.workspace, '.vscode'), 'r');
    await cage.pool('drain');
    expect(() => writeFileSync(`/proc/self/fd/${stood}/mine`, '')).toThrow('ENOENT');
    closeSync(stood);
    expect(readdirSync(join(cage.folder, 'state', 'blanks')).length).toBeGreaterThan(0);
  });
});

describe('a warm sandbox that nobody wanted', () => {
  it('is replaced by a younger one, and in the end by none', async () => {
    await using cage = await Cage.start({ kind: KINDS[0] ?? 'user', warmth: 'pool' });
    await cage.sh('true');
    await cage.pool('settle');
    const first = cage.bwraps();
    expect(first).toHaveLength(2);
    await cage.pool('age');
    await expect.poll(() => cage.bwraps()).toHaveLength(2);
    expect(cage.bwraps().filter((pid) => first.includes(pid))).toEqual([]);
    await cage.pool('age');
    await expect.poll(() => cage.bwraps()).toHaveLength(2);
    await cage.pool('age');
    await expect.poll(() => cage.bwraps()).toEqual([]);
    await expect.poll(() => readdirSync(cage.workspace)).toEqual([]);
  });
});

function commandLinesWith(word: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(word);
    } catch {
      // It ended meanwhile.
      return false;
    }
  });
}
