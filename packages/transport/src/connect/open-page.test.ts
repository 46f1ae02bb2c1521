import { DeviceKind, PairingState, Role } from '@palyra/protocol';
import {
  type ConsoleBrowser,
  SoftwareAuthenticator,
  openConsoleBrowser,
  pairDevice,
  verifies,
} from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type House, type Served, callerOfHouse, openHouse, serve } from '../../testing/house.ts';

const PASSKEYS = '/palyra.v1.PasskeyService';
const ADD_MEMBER = '/palyra.v1.MemberService/AddMember';
const CHANGE_ROLE = '/palyra.v1.MemberService/ChangeRole';
const ANSWER_PAIRING = '/palyra.v1.PairingService/AnswerPairing';
const APPLY_POLICY = '/palyra.v1.PolicyService/ApplyPolicy';
const BOB = { name: 'bob', role: 'ROLE_OWNER' };
const NO_GATES = { candidate: { files: { files: [] } }, iMeanIt: true };

let house: House;
let stack: AsyncDisposableStack;
let served: Served;
let page: ConsoleBrowser;
let authenticator: SoftwareAuthenticator;

/** A person with a passkey has opened the console, and gone. */
beforeAll(async () => {
  stack = new AsyncDisposableStack();
  house = stack.use(await openHouse());
  served = await serve(house, stack);
  const { console: desk } = house.test.gateway.identity;
  const { secret: link } = await desk.createLink(await callerOfHouse(house));
  page = await openConsoleBrowser({ origin: served.console, link });
  authenticator = new SoftwareAuthenticator(served.console);
  const begun = await call(`${PASSKEYS}/BeginPasskey`);
  const credential = authenticator.create(begun.answer['options'] ?? '');
  await call(`${PASSKEYS}/FinishPasskey`, { name: 'one', credential });
});
afterAll(() => stack.disposeAsync());

async function call(method: string, body: object = {}) {
  const response = await page.fetch(`${served.console}${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: Record<string, string> = JSON.parse(await response.text());
  return { status: response.status, answer };
}

async function signFor(confirms: object): Promise<string> {
  const { answer } = await call(`${PASSKEYS}/BeginStepUp`, confirms);
  return authenticator.get(answer['options'] ?? '');
}

/** Pairs a device through the page; gives how that ended. */
async function pairThroughPage(
  name: string,
  answer: (given: object) => Promise<{ readonly status: number }>,
) {
  const { answer: started } = await call('/palyra.v1.PairingService/StartPairing');
  const told = Promise.withResolvers<number>();
  const paired = pairDevice(house.test, {
    address: served.doors.device,
    secret: { kind: 'pin', pin: started['pin'] ?? '' },
    name,
    kind: DeviceKind.CLI,
    onWaiting: ({ pairingId, keyFingerprint }) => {
      const given = { pairingId, keyFingerprint, answer: 'PAIRING_STATE_APPROVED' };
      const said = answer(given).then(({ status }) => told.resolve(status));
      void said.catch(told.reject);
    },
  });
  const ended = paired.then(
    () => 'paired',
    () => 'refused',
  );
  return { status: await told.promise, ended };
}

describe('whoever finds the page open', () => {
  it(
    'makes no second person of themselves: no member, no role, no device, no rules',
    verifies('console:open-page'),
    async () => {
      const refused = {
        status: 403,
        answer: { message: expect.stringContaining('passkeys has to confirm') },
      };
      expect(await call(ADD_MEMBER, BOB)).toMatchObject(refused);
      const { members } = await served.grpc.members.listMembers({});
      expect(members).toHaveLength(1);
      const role = { member: members[0]?.userId, role: 'ROLE_OWNER' };
      expect(await call(CHANGE_ROLE, role)).toMatchObject(refused);
      expect(await call(APPLY_POLICY, NO_GATES)).toMatchObject(refused);

      const { status, ended } = await pairThroughPage('theirs', (given) =>
        call(ANSWER_PAIRING, given),
      );
      expect(status).toBe(403);
      // A no needs nothing, and ends the wait.
      const { pairings } = await served.grpc.pairing.listPairings({});
      const open = pairings.find(({ state }) => state === PairingState.PENDING);
      const no = await call(ANSWER_PAIRING, {
        pairingId: open?.pairingId,
        keyFingerprint: open?.proven?.keyFingerprint,
        answer: 'PAIRING_STATE_REJECTED',
      });
      expect(no.status).toBe(200);
      expect(await ended).toBe('refused');
      const { devices } = await served.grpc.devices.listDevices({});
      expect(devices.map(({ name }) => name)).not.toContain('theirs');
    },
  );

  it('cannot use what was signed for something else', async () => {
    const assertion = await signFor({ member: { ...BOB, role: 'ROLE_OPERATOR' } });
    expect((await call(ADD_MEMBER, { ...BOB, assertion })).status).toBe(403);
    const forOther = await signFor({ policy: { ...NO_GATES, iMeanIt: false } });
    expect((await call(APPLY_POLICY, { ...NO_GATES, assertion: forOther })).status).toBe(403);
  });
});

describe('the person with the passkey', () => {
  it('adds a member, changes their role and lets a device in', async () => {
    const added = await call(ADD_MEMBER, { ...BOB, assertion: await signFor({ member: BOB }) });
    expect(added).toMatchObject({ status: 200, answer: { member: { name: 'bob' } } });
    const role = { member: 'bob', role: 'ROLE_OPERATOR' };
    const changed = await call(CHANGE_ROLE, { ...role, assertion: await signFor({ role }) });
    expect(changed.status).toBe(200);
    const { status, ended } = await pairThroughPage('mine', async (given) =>
      call(ANSWER_PAIRING, { ...given, assertion: await signFor({ pairing: given }) }),
    );
    expect({ status, ended: await ended }).toEqual({ status: 200, ended: 'paired' });
  });

  it('is heard about rules', async () => {
    const assertion = await signFor({ policy: NO_GATES });
    const { status, answer } = await call(APPLY_POLICY, { ...NO_GATES, assertion });
    // The stand-in for the rules: it was asked.
    expect({ status, ...answer }).toMatchObject({ status: 404, message: 'this test has no rules' });
  });
});

it('a device needs none: its key has signed for the connection', async () => {
  const { member } = await served.grpc.members.addMember({ name: 'carol', role: Role.OPERATOR });
  expect(member?.name).toBe('carol');
});
