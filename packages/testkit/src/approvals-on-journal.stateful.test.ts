import { verifyStore } from '@palyra/journal';
import { ApprovalStatus, GrantScope, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import {
  ada,
  asking,
  bob,
  callOf,
  gate,
  ids,
  never,
  opened,
  pending,
  preview,
  yes,
  HandClock,
} from './approvals-ground.fixture.ts';
import { tempHome } from './temp-home.ts';

type UsedRow = readonly [
  what: string,
  other: { readonly wasCutOff?: boolean; readonly callId?: string; readonly ruleId?: string },
  laterMs: number,
  questions: readonly string[],
];

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
      approvers: [{ principal: 'user:ada', role: Role.OWNER, strength: 'device', vouchedBy: [] }],
      shown: await preview(),
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
    expect(await answer).toEqual({
      kind: 'denied',
      approvalId: id,
      reason: 'not on a friday',
      help: 'go on without it, or do it in another way',
    });
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
    expect(await answer).toMatchObject({
      kind: 'denied',
      reason: 'nobody answered in time',
      help: 'ask for it again, or go on without it',
    });
    await expect(at.approvals.answer(yes(id, call.fingerprint), ada)).rejects.toMatchObject({
      code: 'APPROVAL_CLOSED',
    });
  });

  it.each([
    { says: [300, 30], waits: 30 },
    { says: [300, 3_600], waits: 3_600 },
    { says: [30, 3_600], waits: 30 },
    { says: [300, 300], waits: 300 },
  ])('waits for $waits s when its rules say $says', async ({ says, waits }) => {
    await using at = await opened();
    const gates = says.map((waitSeconds, place) => gate({ ruleId: `asks-${place}`, waitSeconds }));
    const { id } = await asking(at, callOf(['push']), { gates });
    const { askedAt, deadline } = (await at.approvals.get(id)).record;
    expect(Date.parse(deadline) - Date.parse(askedAt)).toBe(waits * 1000);
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
    const question = {
      proposal: call,
      gates: [gate()],
      policySetHash: 'set',
      reserve: async () => {},
      preview,
    };
    expect(await after.approvals.ask(question, never)).toMatchObject({ kind: 'granted' });
    const again = after.approvals.ask(question, stop.signal);
    await expect(again).rejects.toThrow('stopped');
  });

  it('whose yes comes while its call is cut off keeps it for when the call comes again', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const stop = new AbortController();
    const question = {
      proposal: call,
      gates: [gate()],
      policySetHash: 'set',
      reserve: async () => {},
      preview,
    };
    const wait = async (waiting: () => Promise<void>) => {
      for (const { approvalId } of await pending(at.approvals)) {
        await at.approvals.answer(yes(approvalId, call.fingerprint), ada);
      }
      stop.abort(new Error('stopped'));
      await waiting();
    };
    const asked = at.approvals.ask({ ...question, wait }, stop.signal);
    await expect(asked).rejects.toThrow('stopped');
    expect(await at.approvals.ask(question, never)).toMatchObject({ kind: 'granted' });
  });

  it('that is denied while its call is cut off stays denied for that call, whatever is granted since', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const stop = new AbortController();
    const { id, answer } = await asking(at, call, { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(answer).rejects.toThrow('stopped');
    const no = yes(id, call.fingerprint, { answer: 'denied', reason: 'not on a friday' });
    await at.approvals.answer(no, ada);
    const other = await asking(at, callOf(['push']));
    const { record } = await at.approvals.get(other.id);
    const lease = { scope: GrantScope.SESSION, shape: 'exact' };
    await at.approvals.answer(yes(other.id, record.fingerprint, lease), ada);
    const question = { proposal: call, gates: [gate()], policySetHash: 'set', preview };
    const again = { ...question, reserve: async () => {}, wasCutOff: true };
    expect(await at.approvals.ask(again, never)).toMatchObject({
      kind: 'denied',
      approvalId: id,
      reason: 'not on a friday',
    });
    expect(await pending(at.approvals)).toEqual([]);
  });

  it.each([
    ['is not asked again for that call', {}, 0, []],
    ['is asked again for a call that was not cut off', { wasCutOff: false }, 0, ['asked']],
    ['is asked again for another call', { callId: 'another' }, 0, ['asked']],
    ['is asked again for another gate', { ruleId: 'another' }, 0, ['asked']],
    ['is asked again after its time', {}, 300_000, ['asked']],
  ])('whose yes was used before its call could start %s', async (...row) => {
    const [, { wasCutOff = true, callId, ruleId }, laterMs, questions]: UsedRow = row;
    await using at = await opened();
    const call = callOf(['push']);
    const { id, answer } = await asking(at, call);
    await at.approvals.answer(yes(id, call.fingerprint), ada);
    const first = await answer;
    at.clock.advance(laterMs);
    const asked: string[] = [];
    const again = at.approvals.ask(
      {
        proposal: { ...call, callId: callId ?? call.callId },
        gates: [{ ...gate(), ruleId: ruleId ?? gate().ruleId }],
        policySetHash: 'set',
        wasCutOff,
        preview,
        reserve: async () => void asked.push('asked'),
        wait: () => Promise.reject(new Error('nobody is there')),
      },
      never,
    );
    if (questions.length === 0) expect(await again).toEqual(first);
    else await expect(again).rejects.toThrow('nobody is there');
    expect(asked).toEqual(questions);
  });

  it('that was granted counts for nothing once its time is over', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const stop = new AbortController();
    const { id, answer } = await asking(at, call, { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(answer).rejects.toThrow('stopped');
    await at.approvals.answer(yes(id, call.fingerprint), ada);
    at.clock.advance(300_000);
    await at.approvals.sweep();
    expect((await at.approvals.get(id)).record).toMatchObject({
      status: ApprovalStatus.EXPIRED,
      reason: 'it was granted, and the run did not go on in time',
      usedAt: '',
    });
  });

  it('is over when the clock is set back behind its beginning, and not for a moment of that', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id } = await asking(at, call);
    at.clock.advance(-30_000);
    await at.approvals.sweep();
    expect(await pending(at.approvals)).toHaveLength(1);
    at.clock.advance(-3_600_000);
    await expect(at.approvals.answer(yes(id, call.fingerprint), ada)).rejects.toMatchObject({
      code: 'APPROVAL_CLOSED',
    });
  });

  it('takes no answer that was given to another one', async () => {
    await using at = await opened();
    const [first, second] = [callOf(['push']), callOf(['push'])];
    const { id } = await asking(at, first);
    await asking(at, second);
    await expect(at.approvals.answer(yes(id, second.fingerprint), ada)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await pending(at.approvals)).toHaveLength(2);
  });

  it('lets somebody who said yes say no while others are waited for', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id, answer } = await asking(at, call, { gates: [gate({ quorum: 2 })] });
    await at.approvals.answer(yes(id, call.fingerprint), ada);
    await at.approvals.answer(yes(id, call.fingerprint, { answer: 'denied' }), ada);
    expect(await answer).toMatchObject({ kind: 'denied' });
  });

  it('is answered by nobody who has no role any more when the answer is used', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id, answer } = await asking(at, call);
    at.roles.set('user:ada', Role.UNSPECIFIED);
    await at.approvals.answer(yes(id, call.fingerprint), ada);
    expect(await answer).toMatchObject({ kind: 'granted', approvers: [] });
  });

  it('is not asked when the run may ask no more, and nothing is looked at for it', async () => {
    await using at = await opened();
    const reserve = () => {
      throw new Error('no more');
    };
    const question = { proposal: callOf(['push']), gates: [gate()], policySetHash: 'set' };
    const looked = () => Promise.reject(new Error('looked'));
    await expect(
      at.approvals.ask({ ...question, reserve, preview: looked }, never),
    ).rejects.toThrow('no more');
    expect(await pending(at.approvals)).toEqual([]);
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
    await expect(at.approvals.answer(yes(id, call.fingerprint), ada)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'you have said yes already',
    });
    expect(await pending(at.approvals)).toMatchObject([{ voices: [{ principal: 'user:ada' }] }]);
    const wide = yes(id, call.fingerprint, { scope: GrantScope.SESSION });
    await expect(at.approvals.answer(wide, bob)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await at.approvals.answer(yes(id, call.fingerprint), bob);
    expect(await answer).toMatchObject({ kind: 'granted' });
  });

  it.each([
    ['whoever let in their device', ['user:ada']],
    ['anybody, where it is not known', ['anybody']],
  ])('counts somebody and %s as one person', async (_who, vouchedBy) => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id, answer } = await asking(at, call, { gates: [gate({ quorum: 2 })] });
    const puppet = { ...bob, vouchedBy };
    await at.approvals.answer(yes(id, call.fingerprint), ada);
    await expect(at.approvals.answer(yes(id, call.fingerprint), puppet)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: expect.stringContaining('`user:ada` has said yes'),
      help: expect.stringContaining('`palyra pairing start --for NAME`'),
    });
    expect(await pending(at.approvals)).toMatchObject([{ voices: [{ principal: 'user:ada' }] }]);
    await at.approvals.answer(yes(id, call.fingerprint, { answer: 'denied' }), puppet);
    expect(await answer).toMatchObject({ kind: 'denied' });
  });

  it('counts two whose devices a third person let in as one', async () => {
    await using at = await opened();
    const call = callOf(['push']);
    const { id } = await asking(at, call, { gates: [gate({ quorum: 2 })] });
    const vouchedBy = ['user:eve'];
    await at.approvals.answer(yes(id, call.fingerprint), { ...ada, vouchedBy });
    await expect(
      at.approvals.answer(yes(id, call.fingerprint), { ...bob, vouchedBy }),
    ).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
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

it('no more than a thousand questions are open at once, and the next call is refused', async () => {
  await using at = await opened();
  const stop = new AbortController();
  const { proposal, ...question } = {
    proposal: callOf(['push']),
    gates: [gate()],
    policySetHash: 'set',
    reserve: async () => {},
    preview,
  };
  const body = { status: 'APPROVAL_STATUS_PENDING' };
  for (let asked = 0; asked < 1_000; asked += 50) {
    await at.journal.records.transact({
      writes: Array.from({ length: 50 }, () => {
        return { table: 'open_approvals', id: ids.next(), expectedVersion: 0, body };
      }),
      entries: [{ kind: 'approval.asked', actor: 'test', payload: {} }],
    });
  }
  await expect(at.approvals.ask({ ...question, proposal }, stop.signal)).rejects.toMatchObject({
    code: 'APPROVAL_UNAVAILABLE',
  });
});
