import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAIN, cli, endOf, startCli } from '../../../testing/cli.ts';

let folder = '';
let workspace = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palyra sandbox '));
  workspace = await mkdtemp(join(folder, 'workspace-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const environment = () => ({ PALYRA_HOME: join(folder, 'home'), CANARY: 'canary-of-the-host' });
const sandbox = (words: readonly string[], input = '') =>
  cli(['sandbox', 'run', '--workspace', workspace, ...words], {
    environment: environment(),
    input,
  });

/** On this machine, seen from namespaces of its own in which something was changed. */
function onMachine(
  { flags, change }: { readonly flags: readonly string[]; readonly change: string },
  command: readonly string[],
) {
  const words = [MAIN, 'sandbox', 'run', '--workspace', workspace, '--', ...command];
  const program = ['sh', '-c', `${change} && exec "$@"`, 'sh', process.execPath, ...words];
  const env = { HOME: '/nonexistent/home', PATH: process.env['PATH'], ...environment() };
  return endOf(spawn('unshare', [...flags, ...program], { env }));
}

describe('palyra sandbox run', () => {
  it('passes input, both outputs and the exit code through, byte by byte', async () => {
    const ended = await sandbox(
      ['--', 'sh', '-c', 'cat; printf "\\033[1mno\\n" >&2; exit 7'],
      'é\n',
    );
    expect(ended).toEqual({ code: 7, stdout: 'é\n', stderr: '\u001b[1mno\n' });
  });

  it('ends in order when whoever reads its output has seen enough', async () => {
    const words = [MAIN, 'sandbox', 'run', '--workspace', workspace, '--', 'yes'];
    const line = ['-c', '"$@" | head -c 2', 'sh', process.execPath, ...words];
    const env = { HOME: '/nonexistent/home', PATH: process.env['PATH'], ...environment() };
    expect(await endOf(spawn('sh', line, { env }))).toEqual({ code: 0, stdout: 'y\n', stderr: '' });
    await expect.poll(() => readdir(workspace)).toEqual([]);
  });

  it('gives the command the variables that are named and nothing of the caller', async () => {
    const { stdout } = await sandbox(['--env', 'A=b=c', '--', 'sh', '-c', 'echo "$A"; env']);
    expect(stdout).toMatch(/^b=c\n/);
    expect(stdout).not.toContain('canary-of-the-host');
  });

  it('lets the command write the workspace, whose owner owns it, and leaves no mask there', async () => {
    const ended = await sandbox(['--', 'sh', '-c', 'echo kept > made; echo no > /usr/made; id -u']);
    expect(ended.code).toBe(0);
    expect(ended.stdout).not.toBe('0\n');
    expect(await readFile(join(workspace, 'made'), 'utf8')).toBe('kept\n');
    const made = statSync(join(workspace, 'made'));
    expect(made.uid).toBe(statSync(workspace).uid);
    expect(made.mode & 0o777).toBe(0o644);
    expect(await readdir(workspace)).toEqual(['made']);
    expect(existsSync('/usr/made')).toBe(false);
  });

  it('has no network unless it is given the whole', async () => {
    const look = ['--', 'sh', '-c', 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "'];
    expect((await sandbox(look)).stdout.trim()).toMatch(/^(lo)?$/);
    const own = (await readFile('/proc/net/dev', 'utf8')).split('\n').slice(2, -1);
    const shared = await sandbox(['--egress', 'none', ...look]);
    expect(shared.stdout.trim().split('\n')).toHaveLength(own.length);
  });

  it.each([
    [124, ['--timeout', '200ms', '--', 'sleep', '60'], 'SANDBOX_TIMED_OUT'],
    [126, ['--', './text'], 'SANDBOX_SPAWN_FAILED'],
    [127, ['--', 'no-such-program'], 'SANDBOX_SPAWN_FAILED'],
    [125, ['--', 'sh', '-c', 'head -c 20000000 /dev/zero'], 'SANDBOX_QUOTA_EXCEEDED'],
    [125, ['--workspace', '/nonexistent', '--', 'true'], 'SANDBOX_SCOPE_DENIED'],
    [125, ['--allow-host', 'not a host', '--', 'true'], 'INVALID_INPUT'],
    [125, ['--tier', 'b', '--', 'echo'], 'SANDBOX_EGRESS_DENIED'],
    [2, ['--tier', 'a', '--', 'true'], 'INVALID_INPUT'],
    [2, ['--egress', 'all', '--', 'true'], 'INVALID_INPUT'],
    [2, ['--egress', 'none', '--allow-host', 'a.example', '--', 'true'], 'INVALID_INPUT'],
    [2, ['--timeout', 'soon', '--', 'true'], 'INVALID_INPUT'],
    [2, ['--env', 'A', '--', 'true'], 'INVALID_INPUT'],
    [125, ['--env', 'OPTIND=x', '--', 'true'], 'INVALID_INPUT'],
  ])('ends with %i after `%s`, and says why', async (code, words, fault) => {
    await writeFile(join(workspace, 'text'), 'no program');
    const ended = await sandbox(words);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(new RegExp(`^error ${fault}: .+\n  try: .+\n$`));
  });

  it('ends with 128 and its number after a signal', async () => {
    const ended = await sandbox(['--', 'sh', '-c', 'kill -SEGV $$']);
    expect(ended).toEqual({ code: 139, stdout: '', stderr: 'the command was ended by SIGSEGV\n' });
  });

  it('passes on any amount of input', async () => {
    const ended = await sandbox(['--', 'wc', '-c'], 'x'.repeat(3_000_000));
    expect(ended).toEqual({ code: 0, stdout: '3000000\n', stderr: '' });
  });

  it.each([
    [0, ['--', 'head', '-n', '1'], 'y\n'],
    [124, ['--timeout', '500ms', '--', 'sleep', '60'], ''],
  ])('ends with %i after `%s`, however long its input goes on', async (code, words, stdout) => {
    const child = startCli(['sandbox', 'run', '--workspace', workspace, ...words], {
      environment: environment(),
      input: Readable.from(endless()),
    });
    expect(await endOf(child)).toMatchObject({ code, stdout });
  });

  it('tells a script everything in JSON, with the same exit code', async () => {
    const ended = await sandbox(['--json', '--', 'sh', '-c', 'printf out; printf err >&2; exit 3']);
    expect(ended).toMatchObject({ code: 3, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      format: 'palyra.cli.v1',
      kind: 'sandbox_run',
      ended: 'exited',
      code: 3,
      exit: 3,
      stdout: 'out',
      stderr: 'err',
      truncated: { stdout: false, stderr: false },
      // Of `outerr`.
      outputSha256: '0db14a89d67977799dff485cc6419361e26b4b775037de1377bcf57e2efcf45f',
      posture: { executor: 'sandbox_tier_c_linux_bubblewrap', egress: 'strict' },
    });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'ends everything inside when it gets %s',
    async (signal) => {
      const script = ': > beat; while :; do : > beat; sleep 0.01; done & echo started; wait';
      const child = startCli(
        ['sandbox', 'run', '--workspace', workspace, '--', 'sh', '-c', script],
        {
          environment: environment(),
        },
      );
      const ended = endOf(child);
      await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
      child.kill(signal);
      expect((await ended).code).toBe(signal === 'SIGKILL' ? null : 130);
      // What still lived would make it again, and would keep what masks lie on.
      await untilEmpty(async () => {
        await sandbox(['--', 'rm', '-f', 'beat']);
        return (await readdir(workspace)).length === 0;
      });
    },
  );

  it.runIf(process.geteuid?.() === 0)(
    'says on which step a command ran that is not the strongest, also to a script',
    async () => {
      // Below the strongest step a command runs as the owner, which root must not be.
      await chmod(folder, 0o755);
      await chown(workspace, 65_534, 65_534);
      const hide = 'mount --bind /dev/null /usr/bin/bwrap';
      const ended = await onMachine({ flags: ['-m'], change: hide }, ['echo', 'inside']);
      expect(ended).toMatchObject({ code: 0, stdout: 'inside\n' });
      expect(ended.stderr).toMatch(
        /^. the sandbox was sandbox_tier_c_linux_landlock: bubblewrap could not be used: [^\n]+\n$/,
      );
    },
  );

  it('is refused to who is root of a user namespace alone, with the reason and the way out', async () => {
    const change = 'mount -t tmpfs -o ro none /var/lib';
    const ended = await onMachine({ flags: ['-U', '-r', '-m'], change }, ['true']);
    expect(ended).toMatchObject({ code: 125, stdout: '' });
    expect(ended.stderr).toMatch(/^error SANDBOX_UNAVAILABLE: .*root of a user namespace alone/);
    expect(ended.stderr).toContain('try: start it as the user that you are outside');
  });

  it('runs two commands in one workspace at the same time, and masks stay until the last', async () => {
    const wait = 'echo up; while [ ! -e go ]; do sleep 0.01; done; test ! -s .envrc; echo > .envrc';
    const words = ['sandbox', 'run', '--workspace', workspace, '--', 'sh', '-c', wait];
    const child = startCli(words, { environment: environment() });
    const ended = endOf(child);
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    const second = await sandbox(['--', 'sh', '-c', 'echo > go']);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect((await ended).code).not.toBe(0);
    expect(await readdir(workspace)).toEqual(['go']);
  });
});

function* endless(): Generator<string> {
  for (;;) yield 'y\n'.repeat(10_000);
}

/** After SIGKILL nobody is left to wait for: whoever tidies up does so on their own. */
async function untilEmpty(look: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    if (await look()) return;
  }
  expect.fail('something of the sandbox is left');
}
