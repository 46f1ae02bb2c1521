import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAGES, CANARY, Cage } from './cage.fixture.ts';
import { childrenOf } from './processes.ts';

/** Every process of the machine whose command line holds a word that only one test uses. */
function processesWith(word: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(word);
    } catch {
      return false;
    }
  });
}

describe.each(CAGES)('a command in a sandbox of $kind, $warmth', ({ kind, warmth }) => {
  let cage: Cage;
  beforeAll(async () => {
    cage = await Cage.start({ kind, warmth });
  });
  afterAll(() => cage[Symbol.asyncDispose]());

  it('gets its input, and gives its output and its exit code', async () => {
    const ended = await cage.sh('cat; echo problem >&2; exit 3', { stdin: 'hello' });
    expect(ended).toMatchObject({ kind: 'exited', code: 3, stdout: 'hello', stderr: 'problem\n' });
    expect(ended.outputSha256).toBe(
      '37da2cfd8b46b0dab68bd4381dbcb36358a177b008f9a3dbc796098d0707fa41',
    );
  });

  it('is waited for when it has closed all that it writes to', async () => {
    const ended = await cage.sh('exec >&- 2>&-; sleep 0.2; echo late > late; exit 4');
    expect(ended).toMatchObject({ kind: 'exited', code: 4, stdout: '' });
    expect(readFileSync(join(cage.workspace, 'late'), 'utf8')).toBe('late\n');
  });

  it('ends with what it started, and all that was written until then is there', async () => {
    const lines = 'i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done';
    const ended = await cage.sh(`(sleep 600; echo child) & ${lines}; exit 5`);
    expect(ended).toMatchObject({ kind: 'exited', code: 5 });
    expect(ended.stdout.split('\n').slice(1998)).toEqual(['line 1998', 'line 1999', '']);
  });

  it('is heard to the last word of what it started to write for it', async () => {
    const ended = await cage.run({
      executable: 'bash',
      arguments: ['-c', 'exec > >(sleep 0.05; tee log.txt); echo one; echo two >&2; exit 6'],
    });
    expect(ended).toMatchObject({ kind: 'exited', code: 6, stdout: 'one\n', stderr: 'two\n' });
    expect(readFileSync(join(cage.workspace, 'log.txt'), 'utf8')).toBe('one\n');
    const stays = await cage.sh('(echo first; sleep 600; echo never) & exit 7');
    expect(stays).toMatchObject({ kind: 'exited', code: 7, stdout: 'first\n' });
  });

  it.each([0, 1, 126, 127, 137, 255])('ends with the exit code %i exactly', async (code) => {
    expect(await cage.sh(`exit ${code}`)).toMatchObject({ kind: 'exited', code });
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGPIPE', 'SIGINT'])(
    'that dies of %s is told from one that exits with its number',
    async (signal) => {
      const ended = await cage.sh(`kill -${signal.slice(3)} $$`);
      expect(ended).toMatchObject({ kind: 'killed', signal });
      expect(ended.code).toBeUndefined();
    },
  );

  it('cannot write the report about itself, nor read what its starter holds', async () => {
    const forge = String.raw`printf '\002\000\000\200' > /proc/$PPID/fd/6; cat /proc/$PPID/environ; ls /proc/$PPID/fd; exit 9`;
    const ended = await cage.sh(forge);
    expect(ended).toMatchObject({ kind: 'exited', code: 9, stdout: '' });
    expect(ended.stderr.match(/Permission denied/g)).toHaveLength(3);
  });

  it('is refused with a reason of its own when it is missing, a folder, no program or without its interpreter', async () => {
    cage.put('plain', 'text');
    cage.put('lost', '#!/opt/none/sh\n', 0o755);
    cage.put('garbage', '\u0001\u0002', 0o755);
    cage.putFolder('folder');
    const reasons = [];
    for (const executable of ['nowhere', './plain', './folder', './lost', './garbage']) {
      const ended = await cage.run({ executable });
      expect(ended).toMatchObject({ kind: 'refused', fault: { kind: 'SpawnFailed' } });
      reasons.push(ended.fault?.reason);
    }
    expect(reasons).toEqual([
      'the program `nowhere` is not there',
      'the program `./plain` is not executable',
      'the program `./folder` is a folder',
      'the program `./lost` asks for the interpreter `/opt/none/sh`, which is not there',
      'the program `./garbage` is not a program of this machine',
    ]);
    expect(reasons.join()).not.toContain(cage.folder);
  });

  it('is heard while it runs', async () => {
    const heard: string[] = [];
    const ended = await cage.sh('echo first; read -r line; echo second', {
      limits: { wallTimeMs: 30_000 },
      stdin: 'x\n',
      onOutput: (text) => heard.push(text),
    });
    expect(ended.code).toBe(0);
    expect(heard.join('')).toBe('first\nsecond\n');
  });

  it('is ended when somebody cancels it, and what it wrote stays', async () => {
    const ended = await cage.sh('echo started; sleep 600.271', {
      onOutput: (_, cancel) => cancel(),
    });
    expect(ended).toMatchObject({
      kind: 'killed',
      stdout: 'started\n',
      fault: { kind: 'RuntimeFailure', code: 'CANCELLED' },
    });
    expect(processesWith('600.271')).toEqual([]);
  });

  it('is ended after its time with everything that it started, whatever that ignores', async () => {
    const stubborn = [
      'trap "" TERM INT HUP',
      'setsid sh -c "trap \\"\\" TERM; sleep 600.371" &',
      '(setsid setsid sleep 600.371 &) ',
      'sleep 600.371 & kill -STOP $!',
      'echo up; exec sleep 600.371',
    ].join('\n');
    const ended = await cage.sh(stubborn, { limits: { wallTimeMs: 700 } });
    expect(ended).toMatchObject({
      kind: 'killed',
      signal: 'SIGKILL',
      stdout: 'up\n',
      fault: { kind: 'TimedOut', code: 'SANDBOX_TIMED_OUT' },
    });
    expect(processesWith('600.371')).toEqual([]);
  });

  it('leaves nothing running when it ends by itself', async () => {
    const ended = await cage.sh('sleep 600.471 >/dev/null 2>&1 & echo done');
    expect(ended).toMatchObject({ kind: 'exited', code: 0, stdout: 'done\n' });
    expect(processesWith('600.471')).toEqual([]);
  });

  it('leaves nothing running that it started in its own place, as a child of its starter', async () => {
    const clone = process.arch === 'arm64' ? 220 : 56;
    const brother = [
      'import ctypes, os',
      // CLONE_PARENT and SIGCHLD
      `child = ctypes.CDLL(None).syscall(${clone}, 0x8011, 0, 0, 0, 0)`,
      'os.execvp("sleep", ["sleep", "600.771"]) if child == 0 else print(os.getppid() > 1 and child > 0)',
    ].join('\n');
    const ended = await cage.run({ executable: 'python3', arguments: ['-c', brother] });
    expect(ended).toMatchObject({ kind: 'exited', code: 0, stdout: 'True\n' });
    expect(processesWith('600.771')).toEqual([]);
  });

  it('inherits no descriptor and no variable of the host', async () => {
    const ended = await cage.sh(
      'ls /proc/self/fd; ls -l /proc/1/fd /proc/$PPID/fd; env; cat /proc/1/environ /proc/1/cmdline /proc/$PPID/environ',
      { environment: { GIVEN: 'a "b" $c `d`\n\'e\'' } },
    );
    expect(ended.stdout).not.toContain(CANARY);
    expect(ended.stdout).not.toContain(cage.folder);
    expect(ended.stdout).toContain('GIVEN=a "b" $c `d`\n\'e\'\n');
    expect(ended.stdout).toMatch(/^0\n1\n2\n3\n(?:\/proc|[A-Z])/);
  });

  it('can be what a signal to its whole group or to everybody meets, and is still told of', async () => {
    expect(await cage.sh('trap "exit 7" TERM; kill -TERM 0; sleep 5')).toMatchObject({ code: 7 });
    expect(await cage.sh('kill -TERM -1; exit 8')).toMatchObject({ code: 8 });
  });

  it('makes files that belong to the owner of the workspace', async () => {
    const ended = await cage.sh('mkdir made && echo x > made/file');
    expect(ended.code).toBe(0);
    const owner = statSync(cage.workspace);
    for (const path of ['made', 'made/file']) {
      const { uid, gid } = statSync(join(cage.workspace, path));
      expect({ uid, gid }).toEqual({ uid: owner.uid, gid: owner.gid });
    }
  });

  it.runIf(kind === 'root')('of root works in the folder of any user, for that user', async () => {
    const workspace = cage.makeWorkspace('of-somebody', 12_345);
    mkdirSync(join(workspace, 'of-root'), { mode: 0o700 });
    const ended = await cage.sh('touch mine && ls of-root; touch of-root/x', { workspace });
    expect(ended.stderr).toContain('Permission denied');
    expect(statSync(join(workspace, 'mine')).uid).toBe(12_345);
    expect(readdirSync(join(workspace, 'of-root'))).toEqual([]);
  });

  it.runIf(kind === 'root')(
    'of root without mounts of its own runs as the owner, and never as root',
    async () => {
      await using plain = await Cage.start({ kind: 'root', mounts: 'shared', warmth });
      expect(await plain.sh('true')).toMatchObject({
        kind: 'refused',
        fault: { kind: 'UnsupportedPlatform', help: expect.stringContaining('useradd') },
      });
      const workspace = plain.makeWorkspace('of-somebody', 12_345);
      const ended = await plain.sh('touch mine; grep Cap /proc/self/status', { workspace });
      expect(ended.posture.weaknesses.join()).toContain('run as the owner of the workspace');
      expect(ended.stdout).toContain('CapEff:\t0000000000000000');
      expect(statSync(join(workspace, 'mine')).uid).toBe(12_345);
    },
  );

  it('of which many run at once in one workspace do not meet', async () => {
    const words = Array.from({ length: 8 }, (_, place) => `word-${place}`);
    const all = await Promise.all(
      words.map((word) =>
        cage.sh(
          `cat; ls -A /tmp; echo ${word} > /tmp/x; ps -e 2>/dev/null | wc -l >/dev/null; cat /tmp/x`,
          { stdin: word },
        ),
      ),
    );
    expect(all.map(({ stdout }) => stdout)).toEqual(words.map((word) => `${word}home\n${word}\n`));
    expect(readdirSync(cage.workspace).filter((name) => name === '.envrc')).toEqual([]);
  });

  it('has the same plan whenever it is asked for, and another for another request', async () => {
    const one = await cage.prepare({ executable: 'git', arguments: ['status'] });
    const [same, other] = await Promise.all([
      cage.prepare({ executable: 'git', arguments: ['status'] }),
      cage.prepare({ executable: 'git', arguments: ['stash'] }),
    ]);
    expect(same.hash).toBe(one.hash);
    expect(other.hash).not.toBe(one.hash);
    expect(JSON.stringify(one.plan)).not.toContain(cage.folder);
  });

  it('whose bubblewrap is killed from outside ends with it, and that is said', async () => {
    const ended = await cage.sh('(setsid sleep 600.671 &) ; echo up; exec sleep 600.671', {
      onOutput: () => childrenOf(cage.pid).map((pid) => process.kill(pid, 'SIGKILL')),
    });
    expect(ended).toMatchObject({
      kind: 'killed',
      stdout: 'up\n',
      fault: { code: 'SANDBOX_FAILED' },
    });
    expect(processesWith('600.671')).toEqual([]);
  });

  it('dies with the process that made it', async () => {
    await using doomed = await Cage.start({ kind, warmth });
    const started = Promise.withResolvers<void>();
    void doomed.sh('(setsid sleep 600.571 &) ; echo up; exec sleep 600.571', {
      onOutput: () => started.resolve(),
    });
    await started.promise;
    await doomed.kill();
    await expect.poll(() => processesWith('600.571'), { timeout: 5000, interval: 10 }).toEqual([]);
    // The next one tidies up after it.
    await doomed.restart();
    expect(readdirSync(doomed.workspace)).toEqual([]);
  });

  it('all of this was tried in the kind of sandbox that it says', () => {
    expect(cage.warmRuns > 0).toBe(warmth !== 'cold');
  });
});
