import { permissionsOf } from '@palyra/kernel';
import { PrincipalKind, Role } from '@palyra/protocol';
import { talkingModel, tempHome, testGateway, verifies, workspaceCalled } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';

const ada = {
  principal: 'user:ada',
  actor: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  channel: 'cli',
} as const;
const never = new AbortController().signal;
const one = workspaceCalled('/one', '1:2');
const two = workspaceCalled('/two', '1:3');

/** A run as a crash leaves it: asked for in the workspace of the first gateway, and without an end. */
async function begun(
  home: Awaited<ReturnType<typeof tempHome>>,
  asked: 'run.started' | 'run.queued',
) {
  await using test = await testGateway({ home, workspace: one });
  const { ids } = test.parts;
  const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>() };
  const { path, number } = one.now('/one');
  const payload = { prompt: 'go', model: 'talking', principal: 'user:ada', channel: 'cli' };
  const workspace = { path, number };
  await test.journal.append([
    { kind: asked, actor: 'user:ada', ...run, payload: { ...payload, workspace } },
  ]);
  await test.gateway.runs.recover();
  return run.runId;
}

describe('a run that was interrupted', () => {
  it.each(['run.started', 'run.queued'] as const)(
    'after %s is resumed in its own workspace and in no other, which says where that is',
    verifies('approvals:one-workspace'),
    async (asked) => {
      await using home = await tempHome();
      const runId = await begun(home, asked);
      {
        await using test = await testGateway({ home, workspace: two });
        await expect(test.gateway.runs.resume(runId, ada)).rejects.toMatchObject({
          code: 'RUN_NOT_RESUMABLE',
          message: expect.stringContaining('in the workspace `/one`'),
          help: 'name `/one` in `runs.workspaces`, or start the gateway there',
        });
        expect(await test.journal.page({ after: 0, limit: 50, runId })).toHaveLength(2);
      }
      await using test = await testGateway({ home, workspace: one, model: talkingModel([]) });
      await Array.fromAsync((await test.gateway.runs.resume(runId, ada)).events(never));
      expect((await test.journal.page({ after: 0, limit: 50, runId })).at(-1)).toMatchObject({
        kind: 'run.ended',
      });
    },
  );

  it('and names no workspace is not resumed', async () => {
    await using test = await testGateway();
    const { ids } = test.parts;
    const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>() };
    const payload = { prompt: 'go', model: 'talking', principal: 'user:ada', channel: 'cli' };
    await test.journal.append([{ kind: 'run.started', actor: 'user:ada', ...run, payload }]);
    await test.gateway.runs.recover();
    await expect(test.gateway.runs.resume(run.runId, ada)).rejects.toMatchObject({
      code: 'RUN_NOT_RESUMABLE',
      message: expect.stringContaining('not on record'),
    });
  });

  it('has its workspace from the gateway that started it', async () => {
    await using test = await testGateway({ workspace: two });
    const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
    await Array.fromAsync(run.events(never));
    const [started] = await test.journal.page({ after: 0, limit: 1, runId: run.runId });
    expect(started?.payload).toMatchObject({ workspace: { path: '/two', number: '1:3' } });
  });
});
