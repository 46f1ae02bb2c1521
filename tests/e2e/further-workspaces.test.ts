import { mkdir, mkdtempDisposable, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownClient, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, type Step, homeWithScript, palyra } from './harness.ts';

const READ: Step = { tool: 'fs.read', arguments: { path: 'a.md' } };
const WRITE: Step = {
  tool: 'fs.write',
  arguments: { path: 'a.md', content: 'agent\n', mode: 'replace' },
};
/** Needs no question in this mode: what it changes can be taken back. */
const AUTO = '[policy]\nmode = "auto"\n';
const SHOWS = `@id("shows-a-md") @says("this file may be shown")
permit (principal is User in Role::"operator", action == Action::"tool.unattended", resource == Tool::"process.run")
when { context has process && context.process.commandLine == "cat a.md" };\n`;

/** A gateway in `one` that may work in `two` as well, with the same file in both and in a third. */
async function open(...turns: readonly (readonly Step[])[]) {
  await using stack = new AsyncDisposableStack();
  const ground = stack.use(await mkdtempDisposable(join(tmpdir(), 'palyra-further-')));
  const root = await realpath(ground.path);
  const at = (name: string) => join(root, name);
  for (const folder of ['one', 'two', 'three']) {
    await mkdir(at(folder));
    await writeFile(at(`${folder}/a.md`), `old ${folder}\n`);
  }
  const settings = `${AUTO}[runs]\nworkspaces = ["${at('two')}"]\n`;
  const home = stack.use(await homeWithScript(turns, { settings }));
  const policies = join(home.places.configDir, 'policies');
  await mkdir(policies, { recursive: true, mode: 0o700 });
  await writeFile(join(policies, 'shows.cedar'), SHOWS, { mode: 0o600 });
  stack.use(await new Daemon(home.path, at('one')).ready());
  const read = (name: string) => readFile(at(name), 'utf8');
  const release = stack.move();
  return { home, at, read, [Symbol.asyncDispose]: () => release.disposeAsync() };
}

describe('a gateway that may work in a second folder', () => {
  it(
    'works where it is told to, goes on there, takes it back there, and touches no other',
    verifies('runs:one-workspace-a-session'),
    async () => {
      await using place = await open([WRITE], [{ text: 'done\n' }]);
      const { home, at, read } = place;
      const first = await palyra(home.path, 'run', 'go', '--workspace', at('two'));
      expect(first).toMatchObject({ code: 0 });
      expect([await read('one/a.md'), await read('two/a.md')]).toEqual(['old one\n', 'agent\n']);

      const client = await ownClient(home.places);
      const { sessions } = await client.sessions.listSessions({ limit: 1 });
      const [session] = sessions;
      expect(session?.workspace).toBe(at('two'));
      const sessionId = session?.sessionId ?? '';
      expect((await palyra(home.path, 'sessions', 'show', sessionId)).stdout).toContain(at('two'));

      const { runs } = await client.runs.listRuns({ sessionId });
      expect((await palyra(home.path, 'runs', 'undo', runs[0]?.runId ?? '')).code).toBe(0);
      expect(await read('two/a.md')).toBe('old two\n');

      await writeFile(at('two/a.md'), 'mine\n');
      const again = await palyra(home.path, 'run', 'go on', '--session', sessionId);
      expect(again.code).toBe(0);
      expect([await read('one/a.md'), await read('two/a.md')]).toEqual(['old one\n', 'agent\n']);

      const elsewhere = await palyra(home.path, ...goOn(sessionId, at('one')));
      expect(elsewhere.code).not.toBe(0);
      expect(elsewhere.stderr).toContain(`works in \`${at('two')}\``);
    },
  );

  it(
    'runs one program after the other there, each in the folder itself',
    verifies('runs:one-workspace-a-session'),
    async () => {
      const show: Step = { tool: 'process.run', arguments: { command: 'cat', args: ['a.md'] } };
      const read: Step = { tool: 'fs.read', arguments: { path: 'a.md' } };
      await using place = await open([show], [show], [read], [{ text: 'done\n' }]);
      const { home, at } = place;
      const ran = await palyra(home.path, 'run', 'go', '--workspace', at('two'), '--json');
      expect(ran.code).toBe(0);
      expect(ran.stdout).not.toContain('SANDBOX_SCOPE_DENIED');
      // Each in its result and in the evidence of it.
      expect(ran.stdout.match(/"outcome":"TOOL_OUTCOME_SUCCEEDED"/g)).toHaveLength(6);
      expect(ran.stdout).toContain('old two');
      expect(ran.stdout).not.toContain('old one');
    },
  );

  it(
    'obeys a rule on one folder there and nowhere else, and explains it by that folder',
    verifies('policy:each-folder'),
    async () => {
      await using place = await open([WRITE], [{ text: 'done\n' }]);
      const { home, at, read } = place;
      const policies = join(home.places.configDir, 'policies');
      await mkdir(policies, { recursive: true, mode: 0o700 });
      const rule = `@id("two-is-only-read") @says("nothing is written in two")
forbid (principal, action == Action::"tool.execute", resource == Tool::"fs.write")
when { context has workspace && context.workspace == "${at('two')}" };\n`;
      await writeFile(join(policies, 'two.cedar'), rule, { mode: 0o600 });
      expect(await palyra(home.path, 'policy', 'reload')).toMatchObject({ code: 0 });
      await palyra(home.path, 'run', 'go', '--workspace', at('two'));
      await palyra(home.path, 'run', 'go');
      expect([await read('one/a.md'), await read('two/a.md')]).toEqual(['agent\n', 'old two\n']);

      const asked = ['policy', 'explain', '--tool', 'fs.write'];
      const call = [...asked, '--arg', 'path=a.md', '--arg', 'content=x'];
      const there = await palyra(home.path, ...call, '--workspace', at('two'));
      expect(there.stdout).toContain('two-is-only-read');
      expect(there.stdout).toContain(`context.workspace == "${at('two')}"`);
      expect((await palyra(home.path, ...call)).stdout).not.toContain('two-is-only-read');
      const nowhere = await palyra(home.path, ...call, '--workspace', at('three'));
      expect(nowhere.stderr).toContain('SANDBOX_SCOPE_DENIED');
    },
  );

  it(
    'works in no folder that nobody named, and says how to name it',
    verifies('runs:one-workspace-a-session'),
    async () => {
      await using place = await open([WRITE], [{ text: 'done\n' }]);
      const { home, at, read } = place;
      const refused = await palyra(home.path, 'run', 'go', '--workspace', at('three'));
      expect(refused.code).toBe(10);
      expect(refused.stderr).toContain('SANDBOX_SCOPE_DENIED');
      expect(refused.stderr).toContain('runs.workspaces');
      expect(await read('three/a.md')).toBe('old three\n');
    },
  );

  it(
    'stops working there as soon as the folder has rules of its own, which it would not hear',
    verifies('runs:one-workspace-a-session'),
    async () => {
      await using place = await open([READ], [{ text: 'done\n' }]);
      const { home, at } = place;
      const go = () => palyra(home.path, 'run', 'go', '--workspace', at('two'), '--json');
      expect((await go()).stdout).toContain('old two');
      await mkdir(at('two/.palyra/policies'), { recursive: true });
      const refused = await go();
      expect(refused.code).not.toBe(0);
      expect(refused.stdout + refused.stderr).toContain('SANDBOX_SCOPE_DENIED');
      await rm(at('two/.palyra'), { recursive: true });
      expect((await go()).code).toBe(0);
    },
  );
});

function goOn(sessionId: string, folder: string): readonly string[] {
  return ['run', 'go on', '--session', sessionId, '--workspace', folder];
}
