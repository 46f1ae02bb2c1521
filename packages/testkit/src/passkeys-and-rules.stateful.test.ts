import { randomBytes } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import type { Caller, ConsoleVisit, GivenAnswer } from '@palyra/gateway';
import { permissionsOf } from '@palyra/kernel';
import {
  ApprovalStatus,
  type ApprovalRecord,
  DecisionKind,
  FinishPasskeyRequestSchema,
  GrantScope,
  type Member,
  PrincipalKind,
  Role,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { gated, openRules } from './approvals-and-rules.fixture.ts';
import { SoftwareAuthenticator } from './software-authenticator.ts';
import { verifies } from './verifies.ts';

const ORIGIN = 'http://localhost:7142';
const WANTED = 'context.approval.strengths.contains(Strength::"passkey")';
const ONE = gated('@strength("passkey")', `context.approval.count >= 1 && ${WANTED}`);
const TWO = gated('@strength("passkey") @quorum("2")', `context.approval.count >= 2 && ${WANTED}`);

type Rules = Awaited<ReturnType<typeof openRules>>;

const MACHINE = '01JD00000000000000000OWNER';

/** Of the gateway's own machine, or let in there. */
function letIn({ addedBy }: Member) {
  if (addedBy === 'gateway') return { isLocal: true, pairedBy: 'gateway' };
  return { pairedBy: `${addedBy} via device:${MACHINE}`, madeThrough: [MACHINE] };
}

/** Somebody in the console with a passkey, as they come there. */
async function personAt({ identity, journal }: Rules, member: Member, pairedBy?: string) {
  const device = {
    ...letIn(member),
    ...(pairedBy === undefined ? {} : { pairedBy }),
    deviceId:
      member.addedBy === 'gateway'
        ? MACHINE
        : `01JD00000000000000000${member.name.padEnd(5, '0').slice(0, 5).toUpperCase()}`,
    name: member.name,
    kind: 'DEVICE_KIND_CLI',
    state: 'DEVICE_STATE_ACTIVE',
    userId: member.userId,
    roleLimit: 'ROLE_OWNER',
  };
  await journal.records.transact({
    writes: [{ table: 'devices', id: device.deviceId, expectedVersion: 0, body: device }],
    entries: [{ kind: 'device.paired', actor: 'test', payload: { device } }],
  });
  const { secret: link } = await identity.console.createLink(
    callerThrough(member, device.deviceId),
  );
  const publicKey = new Uint8Array(randomBytes(65));
  const { secret } = await identity.console.open(link, publicKey);
  const visit: ConsoleVisit = { ...(await identity.access.bySession(secret)), origin: ORIGIN };
  const authenticator = new SoftwareAuthenticator(ORIGIN);
  const { options } = await identity.passkeys.begin(visit);
  const credential = authenticator.create(options);
  const wish = create(FinishPasskeyRequestSchema, { name: 'key', credential });
  await identity.passkeys.finish(wish, visit);
  return { visit, authenticator };
}

function callerThrough({ userId, name, role }: Member, deviceId: string): Caller {
  const principal = `user:${userId}`;
  const kind = PrincipalKind.USER;
  const member = { userId, name, role };
  const permissions = permissionsOf(role);
  return { principal, actor: principal, kind, permissions, channel: 'cli', member, deviceId };
}

async function ownerAt(at: Rules) {
  const [owner] = await at.identity.members.list();
  if (owner === undefined) throw new Error('the first start makes an owner');
  return { ...(await personAt(at, owner)), owner };
}

const answerTo = ({ approvalId, fingerprint }: ApprovalRecord): GivenAnswer => ({
  approvalId,
  fingerprint,
  answer: 'granted',
  reason: '',
  scope: GrantScope.ONCE,
  shape: '',
  until: undefined,
  uses: 0,
});

describe('where a rule wants a passkey', () => {
  it(
    'a yes without one leaves the question open, and one with it lets the call run',
    verifies('approvals:passkey-where-wanted'),
    async () => {
      await using at = await openRules({ rule: ONE });
      const { visit, authenticator } = await ownerAt(at);
      const [decision] = await at.run(async (record) => {
        const given = answerTo(record);
        await expect(at.gateway.approvals.answer(given, visit.caller)).rejects.toMatchObject({
          code: 'PERMISSION_DENIED',
          message: 'the rule `more` wants the yes confirmed with a passkey',
          help: expect.stringContaining('`palyra console`'),
        });
        expect((await at.approvals.get(record.approvalId)).record).toMatchObject({
          status: ApprovalStatus.PENDING,
          voices: [],
        });
        const { options } = await at.gateway.approvals.beginStepUp(given, visit);
        const assertion = authenticator.get(options);
        const { record: answered } = await at.gateway.approvals.answerConfirmed(
          given,
          assertion,
          visit,
        );
        expect(answered.voices).toMatchObject([{ strength: 'passkey', channel: 'console' }]);
      });
      expect(decision).toMatchObject({ kind: DecisionKind.ALLOW });
      expect(at.sandbox.requests).toHaveLength(1);
    },
  );

  it(
    'what was signed for one answer gives no other, and a no needs nothing',
    verifies('approvals:passkey-signs-one-answer'),
    async () => {
      await using at = await openRules({ rule: ONE });
      const { visit, authenticator } = await ownerAt(at);
      const { approvals } = at.gateway;
      const [decision] = await at.run(async (record) => {
        const given = answerTo(record);
        const wider = { ...given, scope: GrantScope.SESSION, shape: 'command' };
        const sign = async () =>
          authenticator.get((await approvals.beginStepUp(given, visit)).options);
        for (const other of [wider, { ...given, reason: 'x' }, { ...given, uses: 9 }]) {
          await expect(approvals.answerConfirmed(other, await sign(), visit)).rejects.toMatchObject(
            { code: 'PERMISSION_DENIED' },
          );
        }
        const elsewhere = { ...given, fingerprint: 'another' };
        await expect(approvals.beginStepUp(elsewhere, visit)).rejects.toMatchObject({
          code: 'INVALID_INPUT',
        });
        expect((await at.approvals.get(record.approvalId)).record.voices).toEqual([]);
        await approvals.answer({ ...given, answer: 'denied', reason: 'no' }, visit.caller);
        await expect(approvals.beginStepUp(given, visit)).rejects.toMatchObject({
          code: 'APPROVAL_CLOSED',
        });
      });
      expect(decision).toMatchObject({ kind: DecisionKind.DENY, reason: 'no' });
      expect(at.sandbox.requests).toEqual([]);
    },
  );

  it('and two people, each shows their own', async () => {
    await using at = await openRules({ rule: TWO });
    const { visit, authenticator, owner } = await ownerAt(at);
    const caller = callerThrough(owner, '');
    const bob = await personAt(at, await at.identity.members.add('bob', Role.OWNER, caller));
    const { approvals } = at.gateway;
    const [decision] = await at.run(async (record) => {
      const given = answerTo(record);
      const { options } = await approvals.beginStepUp(given, visit);
      const mine = authenticator.get(options);
      await expect(approvals.answerConfirmed(given, mine, bob.visit)).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
      await approvals.answerConfirmed(given, mine, visit);
      expect(at.sandbox.requests).toEqual([]);
      const { options: bobs } = await approvals.beginStepUp(given, bob.visit);
      await approvals.answerConfirmed(given, bob.authenticator.get(bobs), bob.visit);
    });
    expect(decision).toMatchObject({ kind: DecisionKind.ALLOW });
    expect(at.sandbox.requests).toHaveLength(1);
  });
});

it(
  'who lets in a device for somebody else on a page, and makes a passkey there, is one person',
  verifies('approvals:one-person-one-voice'),
  async () => {
    await using at = await openRules({ rule: TWO });
    const { owner, ...me } = await ownerAt(at);
    const caller = callerThrough(owner, '');
    const member = await at.identity.members.add('bob', Role.OWNER, caller);
    const asBob = await personAt(at, member, `${caller.principal} via console:1`);
    const { approvals } = at.gateway;
    const [decision] = await at.run(async (record) => {
      const given = answerTo(record);
      const sign = async ({ visit, authenticator }: typeof me) =>
        authenticator.get((await approvals.beginStepUp(given, visit)).options);
      await approvals.answerConfirmed(given, await sign(me), me.visit);
      await expect(
        approvals.answerConfirmed(given, await sign(asBob), asBob.visit),
      ).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
        message: `\`${caller.principal}\` has said yes, and one person may have let in the devices of you both`,
      });
      expect(at.sandbox.requests).toEqual([]);
      await approvals.answer({ ...given, answer: 'denied' }, asBob.visit.caller);
    });
    expect(decision).toMatchObject({ kind: DecisionKind.DENY });
    expect(at.sandbox.requests).toEqual([]);
  },
);

it('an assertion that was used up counts for nothing after a restart either', async () => {
  await using at = await openRules({ rule: ONE });
  const { visit, authenticator } = await ownerAt(at);
  const answer = { about: 'a question', terms: {} };
  const { options } = await at.identity.passkeys.beginAnswer(answer, visit);
  const confirmed = { ...answer, assertion: authenticator.get(options) };
  await at.identity.passkeys.confirmAnswer(confirmed, visit);
  const again = await at.identityAgain();
  await expect(again.passkeys.confirmAnswer(confirmed, visit)).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
    message: expect.stringContaining('no open challenge'),
  });
});
