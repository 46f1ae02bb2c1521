import { mkdir, mkdtempDisposable, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PalyraClient } from '@palyra/client';
import { systemClock } from '@palyra/kernel';
import { ApprovalStatus, GrantScope, type RunEvent } from '@palyra/protocol';
import { ownClient, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, type Step, homeWithScript, palyra } from './harness.ts';

const WRITE: Step = {
  tool: 'fs.write',
  arguments: { path: 'a.md', content: 'agent\n', mode: 'replace' },
};

/** Two folders for one home, with the same file in each. */
async function open() {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await homeWithScript([[WRITE], [{ text: 'done\n' }]]));
  const ground = stack.use(await mkdtempDisposable(join(tmpdir(), 'palyra-two-')));
  const root = await realpath(ground.path);
  const [one, two] = [join(root, 'one'), join(root, 'two')];
  for (const folder of [one, two]) {
    await mkdir(folder);
    await writeFile(join(folder, 'a.md'), 'old\n');
  }
  const release = stack.move();
  return { home, one, two, [Symbol.asyncDispose]: () => release.disposeAsync() };
}

/** Answers what is asked; gives the run, and how many questions there were. */
async function run(client: PalyraClient, answer: ApprovalStatus) {
  const isYes = answer === ApprovalStatus.GRANTED;
  const until = new Date(systemClock().now().getTime() + 7_200_000).toISOString();
  const wider = isYes ? { scope: GrantScope.UNTIL, shape: 'folder', until } : {};
  const events: RunEvent[] = [];
  let questions = 0;
  for await (const each of client.runs.startRun({ prompt: 'go' })) {
    events.push(each);
    if (each.event.case !== 'approvalChanged') continue;
    const { approvalId, fingerprint, status } = each.event.value;
    if (status !== ApprovalStatus.PENDING) continue;
    questions += 1;
    await client.approvals.answerApproval({ approvalId, fingerprint, answer, ...wider });
  }
  return { runId: events[0]?.runId ?? '', questions };
}

describe('one home in two workspaces', () => {
  it(
    'asks again in the second for what was granted in the first, and undoes nothing there',
    verifies('approvals:one-workspace'),
    async () => {
      await using place = await open();
      const { home, one, two } = place;
      let runId = '';
      {
        await using _daemon = await new Daemon(home.path, one).ready();
        const client = await ownClient(home.places);
        const first = await run(client, ApprovalStatus.GRANTED);
        expect(first.questions).toBe(1);
        expect((await run(client, ApprovalStatus.GRANTED)).questions).toBe(0);
        expect((await palyra(home.path, 'approvals', 'grants')).stdout).toContain(one);
        ({ runId } = first);
      }
      await writeFile(join(two, 'a.md'), 'agent\n');
      {
        await using _daemon = await new Daemon(home.path, two).ready();
        const client = await ownClient(home.places);
        const undone = await palyra(home.path, 'runs', 'undo', runId);
        expect(undone.code).toBe(1);
        expect(undone.stdout).toContain(`was changed in the workspace \`${one}\``);
        expect(undone.stdout).toContain(`name \`${one}\` in \`runs.workspaces\``);
        expect(await readFile(join(two, 'a.md'), 'utf8')).toBe('agent\n');
        expect((await run(client, ApprovalStatus.DENIED)).questions).toBe(1);
      }
      await using _daemon = await new Daemon(home.path, one).ready();
      const client = await ownClient(home.places);
      expect((await palyra(home.path, 'runs', 'undo', runId)).code).toBe(0);
      expect(await readFile(join(one, 'a.md'), 'utf8')).toBe('old\n');
      expect((await run(client, ApprovalStatus.DENIED)).questions).toBe(0);
    },
  );
});
