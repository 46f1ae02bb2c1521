import type { Answer } from '@palyra/approvals';
import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { CallPreviewSchema, GrantScope, Role, type ToolProposal } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import {
  HandClock,
  type Look,
  type Opened,
  ada,
  asking,
  callOf,
  gate,
  never,
  opened,
  pending,
  preview,
  yes,
} from './approvals-ground.fixture.ts';
import { workspaceCalled } from './fakes.ts';
import { tempHome } from './temp-home.ts';

describe('a grant', () => {
  async function granted(
    at: Opened,
    more: Partial<Answer>,
    words = ['log', '-1'],
    look: Look = preview,
  ) {
    const call = callOf(words);
    const { id, answer } = await asking(at, call, { look });
    await at.approvals.answer(yes(id, call.fingerprint, more), ada);
    await answer;
    return id;
  }
  /** A call that nobody is asked about, or the name of the question. */
  async function outcome(at: Opened, call: ToolProposal, gates = [gate()], look: Look = preview) {
    const stop = new AbortController();
    const asked = Promise.withResolvers<'asked'>();
    using _watch = at.approvals.watch(() => asked.resolve('asked'));
    const answer = at.approvals.ask(
      {
        proposal: call,
        gates,
        policySetHash: 'set',
        reserve: async () => {},
        preview: look,
      },
      stop.signal,
    );
    const first = await Promise.race([asked.promise, answer]);
    stop.abort(new Error('enough'));
    if (first === 'asked') await expect(answer).rejects.toThrow('enough');
    return first === 'asked' ? 'asked' : first.kind;
  }

  it('covers calls of its shape in its session, and asks again for every other', async () => {
    await using at = await opened();
    await granted(at, { scope: GrantScope.SESSION, shape: 'command' });
    expect(await outcome(at, callOf(['log', '--stat']))).toBe('granted');
    expect(await outcome(at, callOf(['push']))).toBe('asked');
    expect(await outcome(at, callOf(['log'], { sessionId: '01JD0000000000000000000009' }))).toBe(
      'asked',
    );
    expect(await outcome(at, callOf(['log'], { principal: 'user:eve' }))).toBe('asked');
    expect(await outcome(at, callOf(['log']), [gate(), gate({ ruleId: 'new' })])).toBe('asked');
  });

  it.each([
    ['of a session', { scope: GrantScope.SESSION, shape: 'command' }],
    ['until a time', { scope: GrantScope.UNTIL, until: new Date('2030-01-01T02:00:00Z') }],
  ])('%s covers nothing in another workspace, and holds on in its own', async (_what, more) => {
    await using home = await tempHome();
    const within = async (path: string, number: string) => {
      await using at = await opened(home, new HandClock(), workspaceCalled(path, number));
      return await outcome(at, callOf(['log', '-1']));
    };
    {
      await using at = await opened(home, new HandClock(), workspaceCalled('/one', '1:2'));
      await granted(at, more);
      expect(await at.approvals.grants()).toMatchObject([
        { workspace: { path: '/one', number: '1:2' } },
      ]);
    }
    expect(await within('/two', '1:3')).toBe('asked');
    expect(await within('/one', '1:3')).toBe('asked');
    expect(await within('/two', '1:2')).toBe('asked');
    expect(await within('/one', '1:2')).toBe('granted');
  });

  it('is of the workspace of its question, wherever that is answered', async () => {
    await using home = await tempHome();
    const call = callOf(['log', '-1']);
    {
      await using at = await opened(home, new HandClock(), workspaceCalled('/one', '1:2'));
      const stop = new AbortController();
      const { answer } = await asking(at, call, { signal: stop.signal });
      stop.abort(new Error('the gateway stops'));
      await expect(answer).rejects.toThrow('stops');
    }
    await using at = await opened(home, new HandClock(), workspaceCalled('/two', '1:3'));
    const [open] = await pending(at.approvals);
    const more = { scope: GrantScope.SESSION };
    await at.approvals.answer(yes(open?.approvalId ?? '', call.fingerprint, more), ada);
    expect(await at.approvals.grants()).toMatchObject([{ workspace: { path: '/one' } }]);
    expect(await outcome(at, callOf(['log', '-1']))).toBe('asked');
  });

  const SCRIPT = { name: 'build.sh', sha256: 'one', facts: 'mode 100644' };
  const FOLDER = { name: 'src', facts: 'all in it', isFolder: true };
  const seen = (shown: MessageInitShape<typeof CallPreviewSchema>) => async () =>
    create(CallPreviewSchema, { workspace: '1:2', ...shown });
  const BEFORE = seen({ directory: '1:2', namedFiles: [SCRIPT, FOLDER] });
  const SESSION = { scope: GrantScope.SESSION };

  it.each([
    ['nothing', {}, 'granted'],
    [
      'what is in a folder that it names',
      { namedFiles: [SCRIPT, { ...FOLDER, facts: '' }] },
      'granted',
    ],
    ['a file that it names', { namedFiles: [{ ...SCRIPT, sha256: 'two' }, FOLDER] }, 'asked'],
    ['its mode', { namedFiles: [{ ...SCRIPT, facts: 'mode 100755' }, FOLDER] }, 'asked'],
    ['that it is there', { namedFiles: [FOLDER] }, 'asked'],
    ['a file that was none', { namedFiles: [SCRIPT, { name: 'Makefile' }, FOLDER] }, 'asked'],
    ['the folder that it starts in', { directory: '1:9' }, 'asked'],
  ])('of exactly one call asks again when a file of it changed: %s', async (_what, more, end) => {
    await using at = await opened();
    await granted(at, SESSION, ['log', '-1'], BEFORE);
    const now = { directory: '1:2', namedFiles: [SCRIPT, FOLDER], ...more };
    expect(await outcome(at, callOf(['log', '-1']), [gate()], seen(now))).toBe(end);
  });

  it('of a wider shape names no content, and is bound to none', async () => {
    await using at = await opened();
    await granted(at, { ...SESSION, shape: 'command' }, ['log', '-1'], BEFORE);
    const now = seen({ directory: '1:2', namedFiles: [{ ...SCRIPT, sha256: 'two' }] });
    expect(await outcome(at, callOf(['log', '-1']), [gate()], now)).toBe('granted');
  });

  it('of exactly one change holds for the file as it was shown, and as that change leaves it', async () => {
    await using at = await opened();
    const change = { path: 'a.md', beforeSha256: 'old', afterSha256: 'new', facts: 'mode 644' };
    await granted(at, SESSION, ['log', '-1'], seen({ changes: [change] }));
    const changing = async (more: object) => {
      const look = seen({ changes: [{ ...change, ...more }] });
      return await outcome(at, callOf(['log', '-1']), [gate()], look);
    };
    expect(await changing({})).toBe('granted');
    expect(await changing({ beforeSha256: 'new' })).toBe('granted');
    expect(await changing({ beforeSha256: 'somebody else' })).toBe('asked');
    expect(await changing({ facts: 'mode 4755' })).toBe('asked');
  });

  it('of exactly one call hands on what was looked at, so that just this is executed', async () => {
    await using at = await opened();
    await granted(at, SESSION, ['log', '-1'], BEFORE);
    const question = { proposal: callOf(['log', '-1']), gates: [gate()], policySetHash: 'set' };
    const rest = { reserve: async () => {}, preview: BEFORE };
    expect(await at.approvals.ask({ ...question, ...rest }, never)).toMatchObject({
      kind: 'granted',
      shown: { foldersMayChange: true, namedFiles: [SCRIPT, FOLDER] },
    });
  });

  it('that could not be shown covers nothing', async () => {
    await using at = await opened();
    const refusal = { message: 'there is no `a`' };
    await granted(at, SESSION, ['log', '-1'], seen({ refusal }));
    expect(await outcome(at, callOf(['log', '-1']))).toBe('asked');
  });

  it('that names no workspace covers nothing', async () => {
    await using at = await opened();
    await granted(at, { scope: GrantScope.SESSION });
    const { records } = at.journal;
    const table = 'approval_grants';
    const [row] = await records.list(table, { limit: 1 });
    const { workspace: _none, ...body } = row?.body ?? {};
    const { id = '', version: expectedVersion = 0 } = row ?? {};
    const writes = [{ table, id, body, expectedVersion }];
    const entries = [
      { kind: 'daemon.stopped', actor: 'gateway', payload: { reason: '' } },
    ] as const;
    await records.transact({ writes, entries });
    expect(await at.approvals.grants()).toHaveLength(1);
    expect(await outcome(at, callOf(['log', '-1']))).toBe('asked');
  });

  it('ends with its uses: of two calls that want the last one, one gets it', async () => {
    await using at = await opened();
    await granted(at, { scope: GrantScope.SESSION, uses: 1 });
    const same = () => outcome(at, callOf(['log', '-1']));
    expect((await Promise.all([same(), same()])).toSorted()).toEqual(['asked', 'granted']);
    expect(await at.approvals.grants()).toEqual([]);
  });

  it('ends with its time, and when it is revoked', async () => {
    await using at = await opened();
    const until = new Date(at.clock.now().getTime() + 60_000);
    await granted(at, { scope: GrantScope.UNTIL, until });
    await granted(at, { scope: GrantScope.UNTIL, until }, ['push', 'x']);
    const [, second] = await at.approvals.grants();
    await at.approvals.revoke(second?.grantId ?? '', ada);
    expect(await outcome(at, callOf(['push', 'x']))).toBe('asked');
    at.clock.advance(59_999);
    expect(await outcome(at, callOf(['log', '-1']))).toBe('granted');
    at.clock.advance(1);
    expect(await outcome(at, callOf(['log', '-1']))).toBe('asked');
  });

  it('does not hold before it was made, should the clock be set back', async () => {
    await using at = await opened();
    await granted(at, { scope: GrantScope.SESSION });
    at.clock.advance(-3_600_000);
    expect(await at.approvals.grants()).toEqual([]);
    expect(await outcome(at, callOf(['log', '-1']))).toBe('asked');
  });

  it('that has ended makes room, and the journal says so', async () => {
    await using at = await opened();
    await granted(at, { scope: GrantScope.SESSION });
    at.clock.advance(86_400_000);
    await at.approvals.sweep();
    expect(await at.journal.records.count('approval_grants')).toBe(0);
    const entries = await at.journal.page({ after: 0, limit: 100 });
    expect(entries.filter(({ kind }) => kind === 'grant.ended')).toMatchObject([
      { actor: 'gateway' },
    ]);
  });

  it('of somebody who has no role any more counts no longer', async () => {
    await using at = await opened();
    await granted(at, { scope: GrantScope.SESSION });
    at.roles.set('user:ada', Role.UNSPECIFIED);
    expect(await outcome(at, callOf(['log', '-1']))).toBe('asked');
  });

  it.each([
    ['a shape that is not offered', { scope: GrantScope.SESSION, shape: 'folder' }],
    ['a wider shape for one call', { shape: 'command' }],
    ['a count for one call', { uses: 5 }],
    ['an end in the past', { scope: GrantScope.UNTIL, until: new Date(0) }],
    ['an end in a year', { scope: GrantScope.UNTIL, until: new Date('2031-01-01') }],
    ['no end', { scope: GrantScope.UNTIL }],
    ['too many uses', { scope: GrantScope.SESSION, uses: 10_001 }],
  ])('is refused with %s, and the question stays', async (_what, more) => {
    await using at = await opened();
    const call = callOf(['log', '-1']);
    const { id } = await asking(at, call);
    await expect(at.approvals.answer(yes(id, call.fingerprint, more), ada)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await pending(at.approvals)).toHaveLength(1);
    expect(await at.approvals.grants()).toEqual([]);
  });

  it('that would end too late is refused with a time that would be taken', async () => {
    await using at = await opened();
    const call = callOf(['log', '-1']);
    const { id } = await asking(at, call);
    const until = (time: string) => ({ scope: GrantScope.UNTIL, until: new Date(time) });
    const given = (time: string) =>
      at.approvals.answer(yes(id, call.fingerprint, until(time)), ada);
    await expect(given('2030-01-31T18:00:00Z')).rejects.toMatchObject({
      help: 'give a time such as `until=2h` or `until=2030-01-01T01:00:00Z`, at most 30 days ahead',
    });
    await given('2030-01-01T01:00:00Z');
    expect(await at.approvals.grants()).toHaveLength(1);
  });
});
