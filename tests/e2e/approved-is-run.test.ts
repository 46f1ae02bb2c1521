import {
  chmod,
  cp,
  mkdir,
  mkdtempDisposable,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PalyraClient } from '@palyra/client';
import {
  ApprovalStatus,
  ErrorCode,
  type GetApprovalResponse,
  GrantScope,
  type RunEvent,
  ToolOutcome,
} from '@palyra/protocol';
import { ownClient, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, Palyra, type Step, homeWithScript, palyra } from './harness.ts';

const PATCH = '--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,1 @@\n-one\n+two\n';
const write = (path: string): Step => {
  return { tool: 'fs.write', arguments: { path, content: 'agent\n', mode: 'replace' } };
};
const touch: Step = { tool: 'process.run', arguments: { command: 'touch', args: ['ran'] } };

/** A daemon whose model asks for one gated call a turn. */
async function open(calls: readonly Step[]) {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(
    await homeWithScript([...calls.map((call) => [call]), [{ text: 'done\n' }]]),
  );
  const ground = stack.use(await mkdtempDisposable(join(tmpdir(), 'palyra-approved-')));
  const root = await realpath(ground.path);
  const workspace = join(root, 'workspace');
  await mkdir(join(workspace, 'sub'), { recursive: true });
  await writeFile(join(workspace, 'a.md'), 'one\nrest\n');
  await writeFile(join(workspace, 'build.sh'), 'echo one > ran\n');
  const start = async () => stack.use(await new Daemon(home.path, workspace).ready());
  const daemon = await start();
  const release = stack.move();
  return {
    home,
    root,
    daemon,
    at: (name: string) => join(workspace, name),
    workspace,
    again: async () => release.use(await new Daemon(home.path, workspace).ready()),
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

type Meanwhile = (shown: GetApprovalResponse) => Promise<void>;

/** Says yes to each question, once the step for it is done. Gives how the calls ended, in order. */
async function answered(client: PalyraClient, steps: readonly Meanwhile[]) {
  const left = [...steps];
  const events: RunEvent[] = [];
  for await (const event of client.runs.startRun({ prompt: 'go' })) {
    events.push(event);
    if (event.event.case !== 'approvalChanged') continue;
    const { approvalId, status, fingerprint } = event.event.value;
    if (status !== ApprovalStatus.PENDING) continue;
    await left.shift()?.(await client.approvals.getApproval({ approvalId }));
    await client.approvals.answerApproval({
      approvalId,
      fingerprint,
      answer: ApprovalStatus.GRANTED,
    });
  }
  return events.flatMap(({ event }) => (event.case === 'toolFinished' ? [event.value] : []));
}

describe('what was approved is what ran', () => {
  it(
    'and whatever changed between the yes and the call is refused',
    verifies('approvals:shown-is-run'),
    async () => {
      const calls = [
        { tool: 'fs.patch', arguments: { patch: PATCH } },
        write('new.md'),
        write('sub/b.md'),
        { tool: 'process.run', arguments: { command: 'sh', args: ['build.sh'] } },
        touch,
        write('c.md'),
        write('d.md'),
      ];
      await using place = await open(calls);
      const client = await ownClient(place.home.places);
      const rules = join(place.home.places.configDir, 'policies');
      const ends = await answered(client, [
        async ({ approval }) => {
          expect(approval?.preview?.diff).toContain('-one\n+two');
          await writeFile(place.at('a.md'), 'one\nrest\nmine\n');
        },
        async () => await writeFile(place.at('new.md'), 'mine\n'),
        async () => {
          await mkdir(join(place.root, 'elsewhere'));
          await rm(place.at('sub'), { recursive: true });
          await symlink(join(place.root, 'elsewhere'), place.at('sub'));
        },
        async ({ approval }) => {
          expect(approval?.preview?.namedFiles).toMatchObject([{ name: 'build.sh' }]);
          await writeFile(place.at('build.sh'), 'echo two > ran\n');
        },
        async ({ approval }) => {
          expect(approval?.preview?.posture).toMatch(/attacks refused on/);
          await rename(place.workspace, join(place.root, 'before'));
          await mkdir(place.workspace);
        },
        async () => {
          await rm(place.workspace, { recursive: true });
          await rename(join(place.root, 'before'), place.workspace);
        },
        async () => {
          await mkdir(rules, { recursive: true, mode: 0o700 });
          const rule =
            '@id("not-today")\n@says("not today")\nforbid (principal, action, resource) when { resource is Tool };\n';
          await writeFile(join(rules, 'today.cedar'), rule, { mode: 0o600 });
          await client.policy.reloadPolicy({});
        },
      ]);
      const { REFUSED, FAILED } = ToolOutcome;
      const { APPROVAL_OUTDATED, SANDBOX_SCOPE_DENIED, POLICY_DENIED } = ErrorCode;
      expect(ends.map(({ outcome, error }) => [outcome, error?.code])).toEqual([
        [REFUSED, APPROVAL_OUTDATED],
        [REFUSED, APPROVAL_OUTDATED],
        [FAILED, SANDBOX_SCOPE_DENIED],
        [REFUSED, APPROVAL_OUTDATED],
        [REFUSED, APPROVAL_OUTDATED],
        [REFUSED, APPROVAL_OUTDATED],
        [REFUSED, POLICY_DENIED],
      ]);
      expect(await readFile(place.at('a.md'), 'utf8')).toBe('one\nrest\nmine\n');
      expect(await readFile(place.at('new.md'), 'utf8')).toBe('mine\n');
      for (const name of ['ran', 'c.md', 'd.md', '../elsewhere/b.md']) {
        await expect(readFile(place.at(name))).rejects.toMatchObject({ code: 'ENOENT' });
      }
    },
  );

  it(
    'and another mode, another folder with the same in it, or a file that was none is another thing',
    verifies('approvals:shown-is-run'),
    async () => {
      const calls = [
        { tool: 'process.run', arguments: { command: 'sh', args: ['build.sh'] } },
        { tool: 'process.run', arguments: { command: 'sh', args: ['sub/build.sh'] } },
        { tool: 'process.run', arguments: { command: 'touch', args: ['ran'], cwd: 'sub' } },
        { tool: 'fs.write', arguments: { path: 'new.md', content: 'agent\n' } },
        write('a.md'),
      ];
      await using place = await open(calls);
      await writeFile(place.at('sub/build.sh'), 'echo one > ran\n');
      const other = async (name: string) => {
        await rename(place.at('sub'), join(place.root, name));
        await cp(join(place.root, name), place.at('sub'), { recursive: true });
      };
      const ends = await answered(await ownClient(place.home.places), [
        async () => await chmod(place.at('build.sh'), 0o755),
        async () => await other('first'),
        async () => await other('second'),
        async () => await writeFile(place.at('new.md'), 'mine\n'),
        async () => await chmod(place.at('a.md'), 0o755),
      ]);
      const { APPROVAL_OUTDATED } = ErrorCode;
      const refused = { outcome: ToolOutcome.REFUSED, error: { code: APPROVAL_OUTDATED } };
      expect(ends).toMatchObject([refused, refused, refused, refused, refused]);
      expect(await readFile(place.at('a.md'), 'utf8')).toBe('one\nrest\n');
      expect(await readFile(place.at('new.md'), 'utf8')).toBe('mine\n');
      expect(await readdir(place.workspace)).not.toContain('ran');
      expect(await readdir(place.at('sub'))).toEqual(['build.sh']);
    },
  );

  it(
    'also by a grant for the session: the script that it names, not whatever has its name by then',
    verifies('approvals:shown-is-run'),
    async () => {
      const script = {
        tool: 'process.run',
        arguments: { command: 'sh', args: ['build.sh', 'src'] },
      };
      const other = { tool: 'process.run', arguments: { command: 'touch', args: ['other'] } };
      await using place = await open([script, script, other, script]);
      await mkdir(place.at('src'));
      await writeFile(place.at('build.sh'), 'echo more >> src/ran\n');
      const client = await ownClient(place.home.places);
      const asked: string[] = [];
      let finished = 0;
      for await (const { event } of client.runs.startRun({ prompt: 'go' })) {
        if (event.case === 'toolFinished') finished += 1;
        if (event.case !== 'approvalChanged') continue;
        const { approvalId, status, fingerprint } = event.value;
        if (status !== ApprovalStatus.PENDING) continue;
        asked.push(`after ${finished}`);
        // While the run waits: what comes next is looked at when this is done.
        if (finished === 2) await writeFile(place.at('build.sh'), 'echo evil >> src/ran\n');
        const answer = asked.length === 1 ? ApprovalStatus.GRANTED : ApprovalStatus.DENIED;
        const scope = GrantScope.SESSION;
        await client.approvals.answerApproval({ approvalId, fingerprint, answer, scope });
      }
      expect(asked).toEqual(['after 0', 'after 2', 'after 3']);
      expect(await readFile(place.at('src/ran'), 'utf8')).toBe('more\nmore\n');
    },
  );

  it(
    'exactly once, also when the gateway dies between the yes and the call',
    verifies('approvals:survives-restart', 'runs:nothing-runs-twice'),
    async () => {
      const call = { command: 'sh', args: ['-c', 'echo ran >> ran'] };
      await using place = await open([{ tool: 'process.run', arguments: call }]);
      const run = new Palyra(place.home.path, ['run', 'go']);
      await run.says(/UTC:\s+[0-9A-Z]{26}/);
      const approvalId = /UTC:\s+([0-9A-Z]{26})/.exec(run.stdout)?.[1] ?? '';
      const runId = /^run ([0-9A-Z]{26}) /.exec(run.stdout)?.[1] ?? '';
      await place.daemon.stop('SIGKILL');
      await run.end();
      // The yes is durable, and nobody goes on with the run.
      const second = await place.again();
      const client = await ownClient(place.home.places);
      const { approval } = await client.approvals.getApproval({ approvalId });
      const fingerprint = approval?.fingerprint ?? '';
      await client.approvals.answerApproval({
        approvalId,
        fingerprint,
        answer: ApprovalStatus.GRANTED,
      });
      await second.stop('SIGKILL');
      await place.again();
      expect(await palyra(place.home.path, 'runs', 'resume', runId)).toMatchObject({ code: 0 });
      expect(await readFile(place.at('ran'), 'utf8')).toBe('ran\n');
      const all = await (await ownClient(place.home.places)).approvals.listApprovals({});
      expect(all.approvals).toMatchObject([{ approvalId, usedAt: expect.stringMatching(/Z$/) }]);
    },
  );
});
