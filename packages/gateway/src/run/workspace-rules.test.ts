import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunId, parseId } from '@palyra/kernel';
import { DecisionKind, Role } from '@palyra/protocol';
import {
  ownerCaller,
  talkingModel,
  tempHome,
  testGateway,
  verifies,
  workspaceCalled,
} from '@palyra/testkit';
import { describe, expect, it } from 'vitest';

const ada = { ...ownerCaller(Role.OPERATOR), principal: 'user:ada', actor: 'user:ada' };
const never = new AbortController().signal;
const FOLDER = '/srv/archive';
const YES = { kind: 'text', text: 'yes' } as const;
const CLOSED = `@id("the-archive-is-closed")
@says("nobody works in the archive")
forbid (principal, action == Action::"workspace.open", resource == Workspace::"${FOLDER}");
`;
const REFUSED = {
  code: 'PERMISSION_DENIED',
  message: expect.stringContaining('`the-archive-is-closed`'),
};

/** A gateway in one folder, with a way to forbid that. */
async function inFolder() {
  const home = await tempHome();
  const workspace = workspaceCalled(FOLDER, '1');
  const test = await testGateway({ home, rules: 'ask', model: talkingModel([YES]), workspace });
  const forbid = async () => {
    const folder = join(home.places.configDir, 'policies');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, 'archive.cedar'), CLOSED, { mode: 0o600 });
    await test.parts.policyDesk.reload('test');
  };
  const run = async (): Promise<RunId> => {
    const started = await test.gateway.runs.start({ prompt: 'hi' }, ada);
    await Array.fromAsync(started.events(never));
    return started.runId;
  };
  return {
    ...test,
    forbid,
    run,
    [Symbol.asyncDispose]: async () => {
      await test[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

describe('a rule that closes a folder', () => {
  it(
    'keeps runs from beginning in it, also in a session that worked there before',
    verifies('policy:each-folder'),
    async () => {
      await using test = await inFolder();
      const { sessionId } = await test.gateway.runs.get(await test.run(), ada);
      const session = parseId<'session'>(sessionId);
      await test.forbid();
      await expect(test.run()).rejects.toMatchObject(REFUSED);
      if (session === undefined) throw new TypeError('the run has no session');
      const again = { prompt: 'and again', sessionId: session };
      await expect(test.gateway.runs.start(again, ada)).rejects.toMatchObject(REFUSED);
      expect(await test.gateway.runs.list({ limit: 9 }, ada)).toHaveLength(1);
    },
  );

  it('keeps sessions from being made or branched in it', async () => {
    await using test = await inFolder();
    const runId = await test.run();
    await test.forbid();
    const { sessions } = test.gateway;
    await expect(sessions.create({ title: 'x', workspace: '' }, ada)).rejects.toMatchObject(
      REFUSED,
    );
    await expect(sessions.branch({ runId, title: '' }, ada)).rejects.toMatchObject(REFUSED);
    expect(await sessions.list({ limit: 9, archived: 'left-out' }, ada)).toHaveLength(1);
  });

  it('leaves its refusal in the journal, where it can be explained', async () => {
    await using test = await inFolder();
    await test.forbid();
    await expect(test.run()).rejects.toMatchObject(REFUSED);
    const entries = await test.journal.page({ after: 0, limit: 100 });
    const entry = entries.find(({ kind }) => kind === 'access.refused');
    expect(entry?.payload).toMatchObject({
      principal: 'user:ada',
      action: 'workspace.open',
      resource: `the folder \`${FOLDER}\``,
      ruleIds: ['the-archive-is-closed'],
    });
    const subject = { case: 'entryId', value: entry?.id ?? '' } as const;
    const explanation = await test.gateway.policy.explain({ subject }, ada);
    expect(explanation).toMatchObject({
      kind: DecisionKind.DENY,
      request: { action: 'workspace.open', resource: { type: 'Workspace', id: FOLDER } },
    });
  });
});
