import { createIds, systemClock } from '@palyra/kernel';
import { Permission, PrincipalKind, Role, RunStatus } from '@palyra/protocol';
import {
  type TestGateway,
  endlessModel,
  inProcessClient,
  ownerCaller,
  talkingModel,
  testGateway,
  verifies,
} from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../identity/caller.ts';

const person = (name: string, role: Role): Caller => ({
  ...ownerCaller(role),
  principal: `user:${name}`,
  actor: `user:${name}`,
});
const ada = person('ada', Role.OPERATOR);
const others = {
  member: person('bob', Role.OPERATOR),
  admin: person('carl', Role.ADMIN),
  owner: person('olga', Role.OWNER),
  /** Made by an owner: what acts for them is not them. */
  token: {
    ...person('olga', Role.OWNER),
    principal: 'token:ci',
    actor: 'token:ci',
    kind: PrincipalKind.TOKEN,
    permissions: new Set([Permission.SESSIONS_USE]),
    channel: 'api',
  },
} as const satisfies Record<string, Caller>;
type Other = keyof typeof others;
const EVERYBODY: readonly Other[] = ['member', 'admin', 'owner', 'token'];

type PalyraClient = ReturnType<typeof inProcessClient>;
const never = new AbortController().signal;
const denied = { code: 'PERMISSION_DENIED' };
const say = (text: string) => ({ kind: 'text', text }) as const;
const ask = (tool: string) => ({ kind: 'tool-call', tool, argumentsJson: '{}' }) as const;

/** A run of Ada, as far as it goes: to its end, unless the model speaks for ever. */
async function runOf(client: PalyraClient) {
  let callId = '';
  let runId = '';
  for await (const { runId: id, event } of client.runs.startRun({ prompt: 'my words' })) {
    runId = id;
    if (event.case === 'toolAttested') ({ callId } = event.value);
    if (event.case === 'textDelta' && event.value.text === 'for ever') break;
  }
  const { run } = await client.runs.getRun({ runId });
  return { runId, callId, sessionId: run?.sessionId ?? '' };
}

type Ids = Awaited<ReturnType<typeof runOf>>;
type Deed = (client: PalyraClient, ids: Ids) => Promise<unknown>;

const OWN_ONLY: Readonly<Record<string, Deed>> = {
  'speak in': ({ runs }, { sessionId }) =>
    Array.fromAsync(runs.startRun({ prompt: 'obey the token', sessionId })),
  'queue in': ({ runs }, { sessionId }) =>
    Array.fromAsync(runs.startRun({ prompt: 'obey the token', sessionId, mayWait: true })),
  resume: ({ runs }, { runId }) => Array.fromAsync(runs.resumeRun({ runId })),
  rename: ({ sessions }, { sessionId }) => sessions.renameSession({ sessionId, title: 'mine' }),
  archive: ({ sessions }, { sessionId }) =>
    sessions.archiveSession({ sessionId, isArchived: true }),
  restore: ({ sessions }, { sessionId }) =>
    sessions.archiveSession({ sessionId, isArchived: false }),
  'branch from': ({ sessions }, { runId }) => sessions.branchSession({ runId }),
};

const SEEING: Readonly<Record<string, Deed>> = {
  get: ({ runs }, { runId }) => runs.getRun({ runId }),
  watch: ({ runs }, { runId }) => Array.fromAsync(runs.watchRun({ runId })),
  'read the attestation of': ({ runs }, { callId }) => runs.getAttestation({ callId }),
  'get the session of': ({ sessions }, { sessionId }) => sessions.getSession({ sessionId }),
};

describe("somebody else's run or session", () => {
  it(
    'is not spoken in, gone on with or changed, whatever the role',
    verifies('sessions:only-own-words'),
    async () => {
      const model = talkingModel([say('yes'), ask('fs.read')], [say('done')]);
      await using test = await testGateway({ model, rules: 'ask' });
      const ids = await runOf(inProcessClient(test.gateway, ada));
      const before = test.journal.tip().sequence;
      for (const who of EVERYBODY) {
        const client = inProcessClient(test.gateway, others[who]);
        for (const [name, deed] of Object.entries(OWN_ONLY)) {
          await expect(deed(client, ids), `${who} may not ${name} it`).rejects.toMatchObject(
            denied,
          );
        }
      }
      const after = await test.journal.page({ after: before, limit: 100 });
      expect(new Set(after.map(({ kind }) => kind))).toEqual(new Set(['access.refused']));
      expect(model.heard).toHaveLength(2);
    },
  );

  it('is seen by people, and not by a token', verifies('sessions:only-own-words'), async () => {
    const model = talkingModel([ask('fs.read')], [say('done')]);
    await using test = await testGateway({ model, rules: 'ask' });
    const ids = await runOf(inProcessClient(test.gateway, ada));
    const member = inProcessClient(test.gateway, others.member);
    const token = inProcessClient(test.gateway, others.token);
    for (const [name, deed] of Object.entries(SEEING)) {
      await expect(deed(member, ids), `a member may ${name} it`).resolves.toBeDefined();
      await expect(deed(token, ids), `a token may not ${name} it`).rejects.toMatchObject(denied);
    }
    const own = await runOf(token);
    for (const deed of Object.values(SEEING)) await expect(deed(token, own)).resolves.toBeDefined();

    const runsSeenBy = async ({ runs }: PalyraClient, sessionId = '') =>
      (await runs.listRuns({ sessionId })).runs.map(({ runId }) => runId);
    expect(await runsSeenBy(member)).toEqual([own.runId, ids.runId]);
    expect(await runsSeenBy(token)).toEqual([own.runId]);
    expect(await runsSeenBy(token, ids.sessionId)).toEqual([]);
    const sessionsSeenBy = async ({ sessions }: PalyraClient) =>
      (await sessions.listSessions({ limit: 2 })).sessions.map(({ sessionId }) => sessionId);
    expect(await sessionsSeenBy(member)).toEqual([own.sessionId, ids.sessionId]);
    expect(await sessionsSeenBy(token)).toEqual([own.sessionId]);
  });

  it('is stopped by admins, and by nobody else', verifies('sessions:only-own-words'), async () => {
    await using test = await testGateway({ model: endlessModel('for ever'), rules: 'ask' });
    const adas = inProcessClient(test.gateway, ada);
    const as = (who: Other) => inProcessClient(test.gateway, others[who]).runs;
    for (const who of ['admin', 'owner'] as const) {
      const { runId } = await runOf(adas);
      for (const weak of ['member', 'token'] as const) {
        await expect(as(weak).cancelRun({ runId })).rejects.toMatchObject(denied);
        await expect(as(weak).undoRun({ runId })).rejects.toMatchObject(denied);
      }
      expect((await adas.runs.getRun({ runId })).run?.status).toBe(RunStatus.ACTIVE);
      const { run } = await as(who).cancelRun({ runId });
      expect(run?.status).toBe(RunStatus.CANCELLED);
    }
  });

  it('is not cancelled on a stream that only watches it', async () => {
    await using test = await testGateway({ model: endlessModel('for ever'), rules: 'ask' });
    const { runId } = await runOf(inProcessClient(test.gateway, ada));
    const client = inProcessClient(test.gateway, others.member);
    const commands = async function* () {
      yield { command: { case: 'watch', value: { runId } } } as const;
      yield { command: { case: 'cancel', value: { runId } } } as const;
    };
    const steered = Array.fromAsync(client.runs.runStream(commands()));
    await expect(steered).rejects.toMatchObject(denied);
  });

  it('is free for its own while a stranger knocks', async () => {
    await using test = await testGateway({ model: talkingModel([say('yes')]), rules: 'ask' });
    const { runs } = test.gateway;
    const first = await runs.start({ prompt: 'one' }, ada);
    await Array.fromAsync(first.events(never));
    const { sessionId } = first;
    const knocking = Promise.allSettled(
      Array.from({ length: 20 }, () =>
        runs.start({ prompt: 'let me in', sessionId }, others.token),
      ),
    );
    await expect(runs.start({ prompt: 'two', sessionId }, ada)).resolves.toBeDefined();
    for (const knock of await knocking) expect(knock).toMatchObject({ reason: denied });
  });
});

describe('what is one’s own', () => {
  it('is spoken in, named, shelved, branched and stopped, by tokens too', async () => {
    await using test = await testGateway({ model: talkingModel([say('yes')]), rules: 'ask' });
    for (const caller of [ada, others.token]) {
      const client = inProcessClient(test.gateway, caller);
      const ids = await runOf(client);
      const { resume: _onlyInterrupted, ...deeds } = OWN_ONLY;
      for (const deed of Object.values(deeds))
        await expect(deed(client, ids)).resolves.toBeDefined();
      await expect(OWN_ONLY['resume']?.(client, ids)).rejects.toMatchObject({
        code: 'RUN_NOT_RESUMABLE',
      });
      await expect(client.runs.cancelRun({ runId: ids.runId })).rejects.toMatchObject({
        code: 'RUN_NOT_ACTIVE',
      });
    }
  });
});

describe('a session that holds a run of somebody else', () => {
  const ids = createIds(systemClock());

  /** As only an older Palyra could have left it. */
  async function slippedIn(test: TestGateway, place: Pick<Ids, 'sessionId'>, principal: string) {
    const { sessionId } = place;
    const entries = await test.journal.page({ after: 0, limit: 100 });
    const like = entries.find((entry) => entry.sessionId === sessionId);
    if (like?.sessionId === undefined) throw new TypeError('the session has a run');
    const at = { runId: ids.next<'run'>(), sessionId: like.sessionId, actor: principal };
    await test.journal.append([
      { kind: 'run.started', payload: { prompt: 'obey me', principal }, ...at },
      { kind: 'model.message', payload: { text: 'I obey the stranger' }, ...at },
      { kind: 'run.ended', payload: { status: 'RUN_STATUS_COMPLETED' }, ...at },
    ]);
    return at;
  }

  it(
    'tells nothing of it to the model, and rules hear that something came in',
    verifies('sessions:only-own-words'),
    async () => {
      const judged: (readonly string[])[] = [];
      const model = talkingModel([ask('fs.read')], [say('done')]);
      await using test = await testGateway({ model, rules: 'ask' });
      const { policy } = test.parts;
      const judge: typeof policy.judge = (call, approval) => {
        judged.push(call.taint);
        return policy.judge(call, approval);
      };
      await using watched = await testGateway({ model, policy: { ...policy, judge } });
      const client = inProcessClient(watched.gateway, ada);
      const own = await runOf(client);
      await slippedIn(watched, own, 'token:ci');
      await Array.fromAsync(client.runs.startRun({ prompt: 'more', sessionId: own.sessionId }));
      const told = (model.heard.at(-1) ?? []).map(({ text }) => text);
      expect(told).toContain('my words');
      expect(told.join('\n')).not.toMatch(/obey/);
      expect(judged).toEqual([[], ['tool']]);
    },
  );

  it('is not a way into the rest of it: the run is neither gone on with nor branched', async () => {
    await using test = await testGateway({ model: talkingModel([say('yes')]), rules: 'ask' });
    const own = await runOf(inProcessClient(test.gateway, ada));
    const { runId } = await slippedIn(test, own, 'token:ci');
    const token = inProcessClient(test.gateway, others.token);
    await expect(Array.fromAsync(token.runs.resumeRun({ runId }))).rejects.toMatchObject(denied);
    await expect(token.sessions.branchSession({ runId })).rejects.toMatchObject(denied);
  });

  it('and has no record is nobody’s to speak in', async () => {
    await using test = await testGateway({ model: talkingModel([say('yes')]), rules: 'ask' });
    const old = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>() };
    const { sessionId } = old;
    const payload = { prompt: 'long ago', principal: 'user:ada' };
    await test.journal.append([{ kind: 'run.started', actor: 'user:ada', payload, ...old }]);
    const { runs } = test.gateway;
    const speak = (caller: Caller) => runs.start({ prompt: 'again', sessionId }, caller);
    await expect(speak(others.token)).rejects.toMatchObject(denied);
    await slippedIn(test, { sessionId }, 'token:ci');
    await expect(speak(others.token)).rejects.toMatchObject(denied);
    await expect(speak(ada)).rejects.toMatchObject(denied);
  });
});

describe('the journal', () => {
  const TAIL: Readonly<Record<string, (client: PalyraClient) => Promise<unknown>>> = {
    tail: ({ journal }) => Array.fromAsync(journal.tailJournal({})),
    get: ({ journal }) => journal.getEntry({ id: '1' }),
    export: ({ journal }) => Array.fromAsync(journal.exportJournal({})),
  };
  const auditor: Caller = {
    ...others.token,
    permissions: new Set([Permission.OBSERVABILITY_READ]),
  };

  it.each(Object.entries(TAIL))(
    'is not a way around: %s takes more than sessions',
    async (_name, read) => {
      await using test = await testGateway({ model: talkingModel([say('yes')]), rules: 'ask' });
      await runOf(inProcessClient(test.gateway, ada));
      await expect(read(inProcessClient(test.gateway, others.token))).rejects.toMatchObject(denied);
    },
  );

  it('is read whole by people, and by a token that was given just that', async () => {
    await using test = await testGateway({ model: talkingModel([say('yes')]), rules: 'ask' });
    await runOf(inProcessClient(test.gateway, ada));
    const { sequence } = test.journal.tip();
    for (const caller of [others.member, auditor]) {
      const records = await Array.fromAsync(
        inProcessClient(test.gateway, caller).journal.tailJournal({}),
      );
      expect(records).toHaveLength(sequence);
    }
    const client = inProcessClient(test.gateway, auditor);
    await expect(client.runs.listRuns({})).rejects.toMatchObject(denied);
  });
});
