import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { type Answer, type Answerer, type Approvals, createApprovals } from '@palyra/approvals';
import { type Journal, journalSection, openJournal, verifyStore } from '@palyra/journal';
import { type Clock, createIds, systemClock } from '@palyra/kernel';
import {
  ApprovalStatus,
  CallFactsSchema,
  GrantScope,
  type PolicyGate,
  PolicyGateSchema,
  Role,
  type ToolProposal,
  ToolProposalSchema,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { type TempHome, tempHome } from './temp-home.ts';

const ids = createIds(systemClock());
const never = new AbortController().signal;
const gate = (more: MessageInitShape<typeof PolicyGateSchema> = {}) =>
  create(PolicyGateSchema, {
    ruleId: 'asks',
    approvers: Role.OPERATOR,
    quorum: 1,
    strength: 'device',
    waitSeconds: 300,
    ...more,
  });

/** Moves only when it is told to; whoever sleeps is woken then. */
class HandClock implements Clock {
  #now = Date.parse('2030-01-01T00:00:00.000Z');
  readonly #sleepers = new Set<() => void>();
  now() {
    return new Date(this.#now);
  }
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const until = this.#now + ms;
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (this.#now >= until) resolve();
      };
      this.#sleepers.add(look);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      look();
    });
  }
  advance(ms: number) {
    this.#now += ms;
    for (const look of this.#sleepers) look();
  }
}

interface Opened extends AsyncDisposable {
  readonly approvals: Approvals;
  readonly journal: Journal;
  readonly clock: HandClock;
  readonly home: TempHome;
  readonly roles: Map<string, Role>;
}

async function opened(home?: TempHome, clock = new HandClock()): Promise<Opened> {
  const at = home ?? (await tempHome());
  const settings = journalSection.parse({});
  const journal = await openJournal({ places: at.places, clock: systemClock(), ids, settings });
  const roles = new Map<string, Role>();
  const people = { roleOf: async (principal: string) => roles.get(principal) ?? Role.OWNER };
  const approvals = createApprovals({ records: journal.records, people, clock, ids });
  return {
    approvals,
    journal,
    clock,
    home: at,
    roles,
    [Symbol.asyncDispose]: async () => {
      await journal[Symbol.asyncDispose]();
      if (home === undefined) await at[Symbol.asyncDispose]();
    },
  };
}

function callOf(
  words: readonly string[],
  more: MessageInitShape<typeof ToolProposalSchema> = {},
): ToolProposal {
  const text = words.join(' ');
  return create(ToolProposalSchema, {
    callId: ids.next(),
    runId: '01JD0000000000000000000001',
    sessionId: '01JD0000000000000000000002',
    principal: 'user:ada',
    tool: 'process.run',
    fingerprint: `print of ${text} ${ids.next()}`,
    facts: create(CallFactsSchema, {
      process: { executable: 'git', arguments: [...words], directory: '.' },
      reads: ['.'],
      argumentsSha256: text,
    }),
    ...more,
  });
}

const ada: Answerer = {
  principal: 'user:ada',
  actor: 'user:ada via device:1',
  role: Role.OWNER,
  strength: 'device',
  channel: 'cli',
};
const bob = { ...ada, principal: 'user:bob', actor: 'user:bob' };

function yes(approvalId: string, fingerprint: string, more: Partial<Answer> = {}): Answer {
  return {
    approvalId,
    fingerprint,
    answer: 'granted',
    reason: '',
    scope: GrantScope.ONCE,
    shape: '',
    until: undefined,
    uses: 0,
    ...more,
  };
}

/** Asks, and gives the question once it can be answered. */
async function asking(
  { approvals }: Opened,
  proposal: ToolProposal,
  {
    gates = [gate()],
    signal = never,
  }: { gates?: readonly PolicyGate[]; signal?: AbortSignal } = {},
) {
  const known = new Set((await pending(approvals)).map(({ approvalId }) => approvalId));
  const asked = Promise.withResolvers<string>();
  using _watch = approvals.watch(({ approvalId }) => {
    if (!known.has(approvalId)) asked.resolve(approvalId);
  });
  const answer = approvals.ask(
    { proposal, gates, policySetHash: 'set', onEntries: () => {} },
    signal,
  );
  answer.catch(asked.reject);
  return { id: await asked.promise, answer };
}

const pending = (approvals: Approvals) => approvals.list(ApprovalStatus.PENDING, 100);

describe('a question', () => {
  it('is durable before anybody waits, and a yes lets the call through', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id, answer } = await asking(at, call);
    expect(await pending(at.approvals)).toMatchObject([{ approvalId: id, proposal: call }]);
    await at.approvals.answer(yes(id, call.fingerprint), ada);
    expect(await answer).toEqual({
      kind: 'granted',
      approvalId: id,
      approvers: [{ principal: 'user:ada', role: Role.OWNER, strength: 'device' }],
    });
    expect(await pending(at.approvals)).toEqual([]);
    expect((await at.approvals.get(id)).record).toMatchObject({
      status: ApprovalStatus.GRANTED,
      usedAt: at.clock.now().toISOString(),
    });
    expect(await verifyStore(at.home.places)).toMatchObject({ verdict: 'intact' });
  });

  it('that is denied says why, and takes no other answer', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id, answer } = await asking(at, call);
    const no = yes(id, call.fingerprint, { answer: 'denied', reason: 'not on a friday' });
    await at.approvals.answer(no, ada);
    expect(await answer).toEqual({ kind: 'denied', approvalId: id, reason: 'not on a friday' });
    await expect(at.approvals.answer(yes(id, call.fingerprint), bob)).rejects.toMatchObject({
      code: 'APPROVAL_CLOSED',
    });
  });

  it('has one answer, however many people race', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id, answer } = await asking(at, call);
    const racers = Array.from({ length: 20 }, (_, place) =>
      at.approvals.answer(
        yes(id, call.fingerprint, { answer: place % 2 === 0 ? 'granted' : 'denied' }),
        { ...ada, principal: `user:${place}`, actor: `user:${place}` },
      ),
    );
    const ends = await Promise.allSettled(racers);
    const won = ends.filter(({ status }) => status === 'fulfilled');
    const codes = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
    expect(won).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['APPROVAL_CLOSED']));
    expect(['granted', 'denied']).toContain((await answer).kind);
  });

  it('counts only for what the person saw', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id } = await asking(at, call);
    await expect(at.approvals.answer(yes(id, 'another'), ada)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await pending(at.approvals)).toHaveLength(1);
  });

  it('is denied when nobody answers in time, and a late answer is told so', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id, answer } = await asking(at, call);
    at.clock.advance(300_001);
    expect(await answer).toMatchObject({ kind: 'denied', reason: 'nobody answered in time' });
    await expect(at.approvals.answer(yes(id, call.fingerprint), ada)).rejects.toMatchObject({
      code: 'APPROVAL_CLOSED',
    });
  });

  it('stays when whoever waits is cut off, is the same after a restart, and is used once', async () => {
    const home = await tempHome();
    await using _home = home;
    const clock = new HandClock();
    const call = callOf(['push']);
    const stop = new AbortController();
    let id = '';
    {
      await using before = await opened(home, clock);
      const asked = await asking(before, call, { signal: stop.signal });
      id = asked.id;
      stop.abort(new Error('stopped'));
      await expect(asked.answer).rejects.toThrow('stopped');
    }
    await using after = await opened(home, clock);
    expect(await pending(after.approvals)).toMatchObject([{ approvalId: id }]);
    await after.approvals.answer(yes(id, call.fingerprint), ada);
    const question = { proposal: call, gates: [gate()], policySetHash: 'set', onEntries: () => {} };
    expect(await after.approvals.ask(question, never)).toMatchObject({ kind: 'granted' });
    const again = after.approvals.ask(question, stop.signal);
    await expect(again).rejects.toThrow('stopped');
  });

  it('is withdrawn with its run', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id, answer } = await asking(at, call);
    await at.approvals.withdraw(call.fingerprint);
    expect(await answer).toMatchObject({ kind: 'denied', reason: 'the run was cancelled' });
    expect((await at.approvals.get(id)).record.status).toBe(ApprovalStatus.CANCELLED);
  });

  it('waits for as many people as its gate wants, each counted once', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id, answer } = await asking(at, call, { gates: [gate({ quorum: 2 })] });
    await at.approvals.answer(yes(id, call.fingerprint), ada);
    await at.approvals.answer(yes(id, call.fingerprint), ada);
    expect(await pending(at.approvals)).toHaveLength(1);
    const wide = yes(id, call.fingerprint, { scope: GrantScope.SESSION });
    await expect(at.approvals.answer(wide, bob)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await at.approvals.answer(yes(id, call.fingerprint), bob);
    expect(await answer).toMatchObject({ kind: 'granted' });
  });

  it.each([
    ['a higher role', gate({ approvers: Role.OWNER }), { ...ada, role: Role.ADMIN }],
    ['a passkey', gate({ strength: 'passkey' }), ada],
  ])('takes no yes from somebody without %s', async (_what, asks, who) => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id } = await asking(at, call, { gates: [asks] });
    await expect(at.approvals.answer(yes(id, call.fingerprint), who)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    expect(await pending(at.approvals)).toHaveLength(1);
  });
});

describe('a grant', () => {
  async function granted(at: Opened, more: Partial<Answer>, words = ['log', '-1']) {
    const call = callOf(words);
    const { id, answer } = await asking(at, call);
    await at.approvals.answer(yes(id, call.fingerprint, more), ada);
    await answer;
    return id;
  }
  /** A call that nobody is asked about, or the name of the question. */
  async function outcome(at: Opened, call: ToolProposal, gates = [gate()]) {
    const stop = new AbortController();
    const asked = Promise.withResolvers<'asked'>();
    using _watch = at.approvals.watch(() => asked.resolve('asked'));
    const answer = at.approvals.ask(
      { proposal: call, gates, policySetHash: 'set', onEntries: () => {} },
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
    expect(await outcome(at, callOf(['log', '-1']))).toBe('granted');
    at.clock.advance(60_001);
    expect(await outcome(at, callOf(['log', '-1']))).toBe('asked');
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
});
