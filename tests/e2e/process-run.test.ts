import { mkdir, mkdtempDisposable, readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject } from '@palyra/kernel';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, Palyra, type Step, homeWithScript, palyra } from './harness.ts';

const UNATTENDED = `@id("commands-run-here")
@says("commands run in the sandbox without a question")
permit (principal, action == Action::"tool.unattended", resource == Tool::"process.run");
`;

const running = (command: string, args: readonly string[]): readonly Step[] => [
  { tool: 'process.run', arguments: { command, args: [...args] } },
];

/** A home whose rules let commands run, and a workspace that is none of the gateway's own folders. */
async function open(turns: readonly (readonly Step[])[]) {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await homeWithScript(turns));
  const workspace = stack.use(await mkdtempDisposable(join(tmpdir(), 'palyra-work-')));
  const rules = join(home.path, 'config/policies');
  await mkdir(rules, { mode: 0o700 });
  await writeFile(join(rules, 'commands.cedar'), UNATTENDED, { mode: 0o600 });
  const daemon = stack.use(await new Daemon(home.path, workspace.path).ready());
  const release = stack.move();
  return {
    home: home.path,
    workspace: workspace.path,
    daemon,
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

async function entriesOf(home: string, kind: string) {
  const { stdout } = await palyra(home, 'journal', 'tail', '--last', '500', '--json');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const told: unknown = JSON.parse(line);
      const entry = isJsonObject(told) && isJsonObject(told['entry']) ? told['entry'] : told;
      return isJsonObject(entry) && entry['kind'] === kind ? [entry] : [];
    });
}

describe('a call of process.run that the rules let pass', () => {
  it(
    'runs in a sandbox, and what was seen of that is in signed evidence',
    verifies('sandbox:is-evidence', 'sandbox:no-trace'),
    async () => {
      await using place = await open([
        running('sh', ['-c', 'echo made by $0 > made; cat made']),
        [{ text: 'done\n' }],
      ]);
      const ended = await palyra(place.home, 'run', 'go');
      expect(ended).toMatchObject({ code: 0 });
      expect(await readFile(join(place.workspace, 'made'), 'utf8')).toBe('made by sh\n');
      const [attested] = await entriesOf(place.home, 'tool.attested');
      expect(attested?.['payload']).toMatchObject({
        outcome: 'TOOL_OUTCOME_SUCCEEDED',
        executor: 'EXECUTOR_SANDBOX_TIER_C_LINUX_BUBBLEWRAP',
        sandboxEnforcement: expect.stringMatching(
          /own namespaces user pid .*; system call filter [0-9a-f]{16}; .*; egress strict to nobody; \d+ attacks refused on /,
        ),
      });
      await place.daemon.stop();
      // What masks lay on is gone with the sandboxes that waited for the next call.
      expect(await readdir(place.workspace)).toEqual(['made']);
      expect(await palyra(place.home, 'journal', 'verify')).toMatchObject({ code: 0 });
    },
  );

  it(
    'finds the workspace as tools of files know it, too',
    verifies('sandbox:one-path'),
    async () => {
      await using place = await open([
        running('sh', ['-c', 'echo written in "$PWD" > "$PWD/made"']),
        [{ tool: 'fs.read', arguments: { path: '/workspace/made' } }],
        [{ text: 'done\n' }],
      ]);
      const ended = await palyra(place.home, 'run', 'go');
      expect(ended).toMatchObject({ code: 0 });
      expect(ended.stdout).toContain('written in /workspace');
      const [, read] = await entriesOf(place.home, 'tool.proposed');
      expect(read?.['payload']).toMatchObject({ arguments: { path: 'made' } });
    },
  );

  it(
    'leaves nothing that tools of files would tell of but what somebody has made',
    verifies('sandbox:no-trace'),
    async () => {
      const file = (path: string): Step => ({ tool: 'fs.read', arguments: { path } });
      await using place = await open([
        running('true', []),
        [{ tool: 'fs.list', arguments: { depth: 3 } }],
        [{ tool: 'fs.search', arguments: { text: 'zebra' } }],
        [file('AGENTS.md')],
        [{ text: 'done\n' }],
      ]);
      await writeFile(join(place.workspace, 'z.txt'), 'zebra\n');
      expect(await palyra(place.home, 'run', 'go')).toMatchObject({ code: 0 });
      // The sandbox that waits for the next command still guards them.
      expect(await readdir(place.workspace)).toEqual(expect.arrayContaining(['AGENTS.md', '.git']));
      const finished = await entriesOf(place.home, 'tool.finished');
      expect(finished.map(({ payload }) => payload)).toMatchObject([
        { outcome: 'TOOL_OUTCOME_SUCCEEDED' },
        { output: '1 entries\nfile 6 z.txt\n' },
        { output: '1 line found\nz.txt:1: zebra\n' },
        { error: { code: 'ERROR_CODE_NOT_FOUND', message: 'there is no `AGENTS.md`' } },
      ]);
      // What a person makes of one is theirs, and seen at once.
      await writeFile(join(place.workspace, 'AGENTS.md'), 'be kind\n');
      expect(await palyra(place.home, 'run', 'go')).toMatchObject({ code: 0 });
      const again = await entriesOf(place.home, 'tool.finished');
      expect(again.map(({ payload }) => payload).slice(5)).toMatchObject([
        { output: '2 entries\nfile 8 AGENTS.md\nfile 6 z.txt\n' },
        { output: '1 line found\nz.txt:1: zebra\n' },
        { output: expect.stringContaining('be kind') },
      ]);
    },
  );

  it(
    'fails, once, when the process that makes sandboxes is killed, and the next one works',
    verifies('sandbox:fails-once', 'sandbox:is-evidence'),
    async () => {
      await using place = await open([
        running('sh', ['-c', ': > started; sleep 600']),
        running('echo', ['again']),
        [{ text: 'done\n' }],
      ]);
      const run = new Palyra(place.home, ['run', 'go']);
      const started = join(place.workspace, 'started');
      while (!(await readdir(place.workspace)).includes('started'))
        await readFile(started).catch(() => {});
      process.kill(await sandboxdOf(place.daemon), 'SIGKILL');
      expect(await run.end()).toMatchObject({ code: 0 });
      const finished = await entriesOf(place.home, 'tool.finished');
      expect(finished.map(({ payload }) => payload)).toMatchObject([
        { outcome: 'TOOL_OUTCOME_FAILED', error: { code: 'ERROR_CODE_SANDBOX_FAILED' } },
        { outcome: 'TOOL_OUTCOME_SUCCEEDED', output: 'again\n' },
      ]);
      const attested = await entriesOf(place.home, 'tool.attested');
      expect(attested.map(({ payload }) => payload)).toMatchObject([
        { executor: 'EXECUTOR_NONE', sandboxEnforcement: expect.stringMatching(/^unknown: /) },
        { executor: 'EXECUTOR_SANDBOX_TIER_C_LINUX_BUBBLEWRAP' },
      ]);
      await place.daemon.stop();
      expect(await palyra(place.home, 'journal', 'verify')).toMatchObject({ code: 0 });
    },
  );
});

async function sandboxdOf({ child }: Daemon): Promise<number> {
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  for (const pid of children
    .split(' ')
    .map(Number)
    .filter((each) => each > 0)) {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    if (words.includes('sandboxd')) return pid;
  }
  throw new Error('there is no process that makes sandboxes');
}
