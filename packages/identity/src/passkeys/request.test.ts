import { create } from '@bufbuild/protobuf';
import {
  AddMemberRequestSchema,
  AnswerPairingRequestSchema,
  ApplyPolicyRequestSchema,
  ChangeRoleRequestSchema,
  PairingState,
  PolicyLayer,
  Role,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { makeFirst, openHouse, visitOf } from './passkeys.fixture.ts';
import type { RequestToConfirm } from './request.ts';

const TEN_MINUTES = 600_000;
const PAIRING_ID = '01JD0000000000000000000000';
const USER_ID = '01JD0000000000000000000001';

const answer = (said = {}): RequestToConfirm => {
  const whole = {
    pairingId: PAIRING_ID,
    keyFingerprint: 'f',
    answer: PairingState.APPROVED,
    ...said,
  };
  return { case: 'pairing', value: create(AnswerPairingRequestSchema, whole) };
};
const adding = (said = {}): RequestToConfirm => {
  const whole = { name: 'bob', role: Role.OPERATOR, ...said };
  return { case: 'member', value: create(AddMemberRequestSchema, whole) };
};
const raising = (said = {}): RequestToConfirm => {
  const whole = { member: USER_ID, role: Role.ADMIN, ...said };
  return { case: 'role', value: create(ChangeRoleRequestSchema, whole) };
};
const rules = ({
  text = '// a',
  ...said
}: {
  text?: string;
  iMeanIt?: boolean;
  assertion?: string;
}): RequestToConfirm => {
  const files = [{ layer: PolicyLayer.OPERATOR, name: 'a.cedar', text }];
  const candidate = { candidate: { case: 'files' as const, value: { files } } };
  return { case: 'policy', value: create(ApplyPolicyRequestSchema, { candidate, ...said }) };
};

/** What is asked for, with its assertion; and others that are nearly the same. */
const REQUESTS: readonly (readonly [
  string,
  (assertion: string) => RequestToConfirm,
  readonly ((assertion: string) => RequestToConfirm)[],
])[] = [
  [
    'pairing.answer',
    (assertion) => answer({ assertion }),
    [
      (assertion) => answer({ assertion, keyFingerprint: 'g' }),
      (assertion) => answer({ assertion, pairingId: USER_ID }),
      (assertion) => adding({ assertion }),
    ],
  ],
  [
    'member.add',
    (assertion) => adding({ assertion }),
    [
      (assertion) => adding({ assertion, name: 'eve' }),
      (assertion) => adding({ assertion, role: Role.OWNER }),
    ],
  ],
  [
    'member.role',
    (assertion) => raising({ assertion }),
    [
      (assertion) => raising({ assertion, role: Role.OWNER }),
      (assertion) => raising({ assertion, member: PAIRING_ID }),
    ],
  ],
  [
    'policy.apply',
    (assertion) => rules({ assertion }),
    [
      (assertion) => rules({ assertion, text: '// b' }),
      (assertion) => rules({ assertion, iMeanIt: true }),
    ],
  ],
];

describe.each(REQUESTS)('%s from the console', (confirms, request, others) => {
  it('wants a passkey of whoever has one, for exactly this request, once', async () => {
    const house = await openHouse();
    const { passkeys, visit, registry } = house;
    const { authenticator } = await makeFirst(house, visit);
    // Fresh or not: whoever has one shows it.
    await expect(passkeys.confirmRequest(request(''), visit)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: 'here one of your passkeys has to confirm this',
    });
    registry.time.ms += TEN_MINUTES * 6;
    const sign = async () =>
      authenticator.get((await passkeys.beginRequest(request(''), visit)).options);
    for (const other of others) {
      await expect(passkeys.confirmRequest(other(await sign()), visit)).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
        message: expect.stringContaining('signed for something else'),
      });
    }
    const signed = request(await sign());
    await expect(
      passkeys.confirmRequest(signed, visitOf(registry, visit.caller)),
    ).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    const again = request(await sign());
    await passkeys.confirmRequest(again, visit);
    const used = registry.records.entries.findLast(({ kind }) => kind === 'passkey.used');
    expect(used).toMatchObject({ payload: { confirms } });
    await expect(passkeys.confirmRequest(again, visit)).rejects.toMatchObject({
      message: expect.stringContaining('no open challenge'),
    });
  });

  it('wants a console just opened from whoever has no passkey', async () => {
    const { passkeys, visit, registry } = await openHouse();
    registry.time.ms += TEN_MINUTES;
    await passkeys.confirmRequest(request(''), visit);
    registry.time.ms += 1;
    await expect(passkeys.confirmRequest(request(''), visit)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: 'what lets somebody in or changes rules wants a console just opened',
      help: expect.stringContaining('`palyra console`'),
    });
    await passkeys.confirmRequest(request(''), visitOf(registry, visit.caller));
  });
});

it.each([
  answer({ pairingId: 'x' }),
  adding({ name: 'B'.repeat(9_000) }),
  raising({ member: 'not a name' }),
])('nothing is signed for what names nobody: $case', async (request) => {
  const house = await openHouse();
  const { passkeys, visit } = house;
  await makeFirst(house, visit);
  await expect(passkeys.beginRequest(request, visit)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});
