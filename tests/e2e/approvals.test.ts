import { mkdtempDisposable, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PalyraError, isJsonObject } from '@palyra/kernel';
import { ApprovalStatus, RunStatus } from '@palyra/protocol';
import { ownClient, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, Palyra, type Step, homeWithScript, palyra, waitFor } from './harness.ts';

/** Writes a line into the workspace each time it runs. */
const command = ['-c', 'echo ran >> ran; cat ran'];
const script: readonly (readonly Step[])[] = [
  [{ tool: 'process.run', arguments: { command: 'sh', args: command } }],
  [{ text: 'done\n' }],
];

/** A gateway with the rules that come with it: a program is to be run, so a person is asked. */
async function open(turns = script) {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await homeWithScript(turns));
  const workspace = stack.use(await mkdtempDisposable(join(tmpdir(), 'palyra-work-')));
  const daemon = stack.use(await new Daemon(home.path, workspace.path).ready());
  const release = stack.move();
  return {
    home: home.path,
    places: home.places,
    workspace: workspace.path,
    daemon,
    again: async (folder = workspace.path) =>
      release.use(await new Daemon(home.path, folder).ready()),
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

/** A run without a terminal, up to where it waits. */
async function waitingRun(home: string) {
  const run = new Palyra(home, ['run', 'go']);
  await run.says(/waits until .* UTC:\s+[0-9A-Z]{26}/);
  const approvalId = /UTC:\s+([0-9A-Z]{26})/.exec(run.stdout)?.[1] ?? '';
  return { run, approvalId };
}

/** The same, of which a crash has taken the gateway. */
async function cutOffRun({ home, daemon }: Awaited<ReturnType<typeof open>>) {
  const { run, approvalId } = await waitingRun(home);
  await daemon.stop('SIGKILL');
  await run.end();
  return { runId: /^run ([0-9A-Z]{26}) /.exec(run.stdout)?.[1] ?? '', approvalId };
}

async function answerOf(home: string, ...words: readonly string[]) {
  const { stdout, code } = await palyra(home, ...words, '--json');
  const answer: unknown = JSON.parse(stdout);
  if (!isJsonObject(answer)) throw new Error(`no answer: ${stdout}`);
  return { ...answer, code };
}

const linesIn = async (workspace: string) => {
  const names = await readdir(workspace);
  return names.includes('ran') ? await readFile(join(workspace, 'ran'), 'utf8') : '';
};

describe('a call that could only be refused', () => {
  it(
    'is refused before anybody is asked, and is on record with the way out',
    verifies('approvals:nobody-is-asked-in-vain'),
    async () => {
      await using place = await open([
        [
          { tool: 'fs.read', arguments: { path: '/etc/hostname' } },
          { tool: 'fs.list', arguments: { path: '..' } },
          { tool: 'process.run', arguments: { command: 'ls', cwd: '/etc' } },
        ],
        [{ text: 'done\n' }],
      ]);
      const ended = await palyra(place.home, 'run', 'go', '--json');
      expect(ended).toMatchObject({ code: 3 });
      expect(ended.stdout).toMatch(/`\/etc\/hostname` lies outside the workspace/);
      const journal = await palyra(place.home, 'journal', 'tail', '-n', '100', '--json');
      expect(journal.stdout).not.toContain('approval.asked');
      expect(journal.stdout.match(/ERROR_CODE_SANDBOX_SCOPE_DENIED/g)).toHaveLength(2);
      expect(journal.stdout.match(/ERROR_CODE_TOOL_ARGUMENTS_INVALID/g)).toHaveLength(1);
      expect(journal.stdout.match(/"tool\.attested"/g)).toHaveLength(3);
      expect(journal.stdout).toContain('name a place in the workspace, written from there');
    },
  );
});

describe('a call that needs a person', () => {
  it(
    'waits, and is executed once somebody says yes from another program',
    verifies('approvals:waits-for-a-person', 'approvals:late-answer-is-told'),
    async () => {
      await using place = await open();
      const { run, approvalId } = await waitingRun(place.home);
      expect(await linesIn(place.workspace)).toBe('');
      const shown = await palyra(place.home, 'approvals', 'show', approvalId);
      expect(shown.stdout).toContain(`command    sh -c 'echo ran >> ran; cat ran'`);
      expect(shown.stdout).toContain(`palyra approvals approve ${approvalId}\n`);

      expect(await palyra(place.home, 'approvals', 'approve', approvalId)).toMatchObject({
        code: 0,
        stdout: `${approvalId} is granted\n`,
      });
      const ended = await run.end();
      expect(ended).toMatchObject({ code: 0 });
      expect(ended.stdout).toMatch(/approval +✓ granted by user:.*tier c linux bubblewrap/s);
      expect(ended.stderr).toContain(`\`palyra approvals approve ${approvalId}\``);
      expect(await linesIn(place.workspace)).toBe('ran\n');

      const late = await answerOf(
        place.home,
        'approvals',
        'deny',
        approvalId,
        '--reason',
        'too late',
      );
      expect(late).toMatchObject({ code: 1, error: { code: 'APPROVAL_CLOSED' } });
      expect(late).toMatchObject({ error: { message: expect.stringMatching(/was granted/) } });
      expect(await palyra(place.home, 'journal', 'verify')).toMatchObject({ code: 0 });
    },
  );

  it(
    'is never executed after a no, and the reason is on record',
    verifies('approvals:no-is-no'),
    async () => {
      await using place = await open();
      const { run, approvalId } = await waitingRun(place.home);
      const deny = ['approvals', 'deny', approvalId, '--reason', 'not today'];
      expect(await palyra(place.home, ...deny)).toMatchObject({ code: 0 });
      const ended = await run.end();
      expect(ended).toMatchObject({ code: 3 });
      expect(ended.stdout).toMatch(/approval +✗ denied by user:\w+: not\s+today/);
      expect(await linesIn(place.workspace)).toBe('');
      const closed = await answerOf(place.home, 'approvals', 'show', approvalId);
      expect(closed).toMatchObject({
        approval: { status: 'APPROVAL_STATUS_DENIED', reason: 'not today' },
      });
    },
  );

  it(
    'has one answer when twenty clients answer at once, and the others are told which',
    verifies('approvals:one-answer-wins', 'approvals:late-answer-is-told'),
    async () => {
      await using place = await open();
      const { run, approvalId } = await waitingRun(place.home);
      const clients = await Promise.all(Array.from({ length: 20 }, () => ownClient(place.places)));
      const [first] = clients;
      const { approval } = (await first?.approvals.getApproval({ approvalId })) ?? {};
      const fingerprint = approval?.fingerprint ?? '';
      const { GRANTED, DENIED } = ApprovalStatus;
      const ends = await Promise.all(
        clients.map(async ({ approvals }, turn) => {
          const answer = turn % 2 === 0 ? GRANTED : DENIED;
          return await approvals
            .answerApproval({ approvalId, fingerprint, answer })
            .then(() => answer, codeOf);
        }),
      );
      const won = ends.filter((end) => end !== 'APPROVAL_CLOSED');
      expect(won).toHaveLength(1);
      expect(await run.end()).toMatchObject({ code: won[0] === GRANTED ? 0 : 3 });
      expect(await linesIn(place.workspace)).toBe(won[0] === GRANTED ? 'ran\n' : '');
    },
  );

  it(
    'is the same question after a restart, and its answer lets it run once',
    verifies('approvals:survives-restart', 'runs:nothing-runs-twice'),
    async () => {
      await using place = await open();
      const { runId, approvalId } = await cutOffRun(place);
      await place.again();
      const listed = await answerOf(place.home, 'approvals', 'list');
      expect(listed).toMatchObject({ approvals: [{ approvalId }] });
      const resumed = new Palyra(place.home, ['runs', 'resume', runId]);
      await resumed.says(`UTC:`);
      expect(await palyra(place.home, 'approvals', 'approve', approvalId)).toMatchObject({
        code: 0,
      });
      expect(await resumed.end()).toMatchObject({ code: 0 });
      expect(await linesIn(place.workspace)).toBe('ran\n');
      const all = await answerOf(place.home, 'approvals', 'list', '--all');
      expect(all).toMatchObject({
        approvals: [{ approvalId, usedAt: expect.stringMatching(/Z$/) }],
      });
      expect(await palyra(place.home, 'journal', 'verify')).toMatchObject({ code: 0 });
    },
  );

  it(
    'lets its run go on by itself when the answer comes after a crash',
    verifies('approvals:goes-on-by-itself', 'approvals:survives-restart'),
    async () => {
      await using place = await open();
      const { runId, approvalId } = await cutOffRun(place);
      await place.again();
      const answered = await palyra(place.home, 'approvals', 'approve', approvalId);
      expect(answered).toMatchObject({ code: 0, stdout: `${approvalId} is granted\n`, stderr: '' });
      const client = await ownClient(place.places);
      const ended = await Array.fromAsync(client.runs.watchRun({ runId }));
      expect(ended.at(-1)?.event).toMatchObject({
        case: 'runEnded',
        value: { status: RunStatus.COMPLETED },
      });
      expect(await linesIn(place.workspace)).toBe('ran\n');
      expect(await palyra(place.home, 'journal', 'verify')).toMatchObject({ code: 0 });
    },
  );

  it(
    'keeps no gateway from stopping at once, however long others would have',
    verifies('approvals:survives-restart', 'daemon:drains'),
    async () => {
      await using place = await open();
      await place.daemon.stop();
      await palyra(place.home, 'config', 'set', 'transport.drain_ms', '600000');
      const daemon = await place.again();
      const { run, approvalId } = await waitingRun(place.home);
      expect(await daemon.stop('SIGTERM')).toBe(0);
      await run.end();
      await place.again();
      expect(await answerOf(place.home, 'approvals', 'list')).toMatchObject({
        approvals: [{ approvalId }],
      });
    },
  );

  it(
    'whose run cannot go on: who answers is told, and the next start lets it, once',
    verifies('approvals:goes-on-by-itself', 'approvals:one-workspace'),
    async () => {
      await using place = await open();
      const { runId, approvalId } = await cutOffRun(place);
      await using elsewhere = await mkdtempDisposable(join(tmpdir(), 'palyra-work-'));
      const away = await place.again(elsewhere.path);
      const answered = await palyra(place.home, 'approvals', 'approve', approvalId);
      expect(answered).toMatchObject({ code: 0, stdout: `${approvalId} is granted\n` });
      expect(answered.stderr).toBe(
        `its run is still interrupted; see \`palyra runs show ${runId}\`\n`,
      );
      await away.stop('SIGKILL');
      const home = await place.again();
      const client = await ownClient(place.places);
      await waitFor(async () => {
        return (await client.runs.getRun({ runId })).run?.status === RunStatus.COMPLETED;
      });
      expect(await linesIn(place.workspace)).toBe('ran\n');
      await home.stop('SIGKILL');
      await place.again();
      expect(await linesIn(place.workspace)).toBe('ran\n');
      expect(await palyra(place.home, 'journal', 'verify')).toMatchObject({ code: 0 });
    },
  );

  it(
    'is withdrawn when the run is cancelled while it waits',
    verifies('approvals:cancel-withdraws'),
    async () => {
      await using place = await open();
      const { run, approvalId } = await waitingRun(place.home);
      run.child.kill('SIGINT');
      expect(await run.end()).toMatchObject({ code: 130 });
      expect(await answerOf(place.home, 'approvals', 'list')).toMatchObject({ approvals: [] });
      const late = await answerOf(place.home, 'approvals', 'approve', approvalId);
      expect(late).toMatchObject({ code: 1, error: { code: 'APPROVAL_CLOSED' } });
      expect(await linesIn(place.workspace)).toBe('');
    },
  );

  it(
    'is withdrawn when its run is cancelled after a crash, and no answer runs it',
    verifies('approvals:cancel-withdraws'),
    async () => {
      await using place = await open();
      const { runId, approvalId } = await cutOffRun(place);
      await place.again();
      expect(await palyra(place.home, 'runs', 'cancel', runId)).toMatchObject({ code: 0 });
      expect(await answerOf(place.home, 'approvals', 'list')).toMatchObject({ approvals: [] });
      const late = await answerOf(place.home, 'approvals', 'approve', approvalId);
      expect(late).toMatchObject({ code: 1, error: { code: 'APPROVAL_CLOSED' } });
      const resumed = await answerOf(place.home, 'runs', 'resume', runId);
      expect(resumed).toMatchObject({ error: { code: 'RUN_NOT_RESUMABLE' } });
      expect(await linesIn(place.workspace)).toBe('');
      expect(await palyra(place.home, 'journal', 'verify')).toMatchObject({ code: 0 });
    },
  );
});

function codeOf(reason: unknown): string {
  return PalyraError.from(reason).code;
}
