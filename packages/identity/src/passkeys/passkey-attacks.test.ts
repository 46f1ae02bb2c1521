import { SoftwareAuthenticator, type Saying } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { refusal } from '../registry/registry.fixture.ts';
import {
  type House,
  ORIGIN,
  YES,
  finishing,
  makeFirst,
  makeFurther,
  openHouse,
  otherMember,
  removing,
  visitOf,
} from './passkeys.fixture.ts';

const DENIED = refusal('PERMISSION_DENIED');

const WRONG: readonly (readonly [string, Saying])[] = [
  ['another port of this machine', { origin: 'http://localhost:7143' }],
  ['another site', { origin: 'https://evil.example' }],
  ['no port', { origin: 'http://localhost' }],
  ['TLS', { origin: 'https://localhost:7142' }],
  ['a frame in another page', { crossOrigin: true }],
  ['another relying party', { relyingParty: 'evil.example' }],
  ['an authenticator that has not looked who it is', { person: 'present' }],
  ['an authenticator that nobody has touched', { person: 'absent' }],
];

describe('an answer that was signed for', () => {
  it.each(WRONG)('%s confirms nothing, and what it answered is used up', async (_what, saying) => {
    const house = await openHouse();
    const { passkeys, visit, registry } = house;
    const { authenticator } = await makeFirst(house, visit);
    const { options } = await passkeys.beginAnswer(YES, visit);
    const assertion = authenticator.get(options, saying);
    await expect(passkeys.confirmAnswer({ ...YES, assertion }, visit)).rejects.toMatchObject(
      DENIED,
    );
    expect(registry.records.kinds().at(-1)).toBe('passkey.refused');
    const right = authenticator.get(options);
    await expect(passkeys.confirmAnswer({ ...YES, assertion: right }, visit)).rejects.toMatchObject(
      DENIED,
    );
  });

  it.each([
    ['another question', { about: '01JOTHER' }],
    ['a no', { terms: { ...YES.terms, answer: 'denied' } }],
    ['another call', { terms: { ...YES.terms, fingerprint: 'g' } }],
    ['a longer scope', { terms: { ...YES.terms, scope: 2 } }],
    ['a wider shape', { terms: { ...YES.terms, shape: 'command' } }],
    ['more uses', { terms: { ...YES.terms, uses: 1_000 } }],
    ['a later end', { terms: { ...YES.terms, until: '2040-01-01T00:00:00.000Z' } }],
    ['another reason', { terms: { ...YES.terms, reason: 'because' } }],
  ])('%s confirms no other', async (_what, other) => {
    const house = await openHouse();
    const { passkeys, visit } = house;
    const { authenticator } = await makeFirst(house, visit);
    const { options } = await passkeys.beginAnswer({ ...YES, ...other }, visit);
    const assertion = authenticator.get(options);
    await expect(passkeys.confirmAnswer({ ...YES, assertion }, visit)).rejects.toMatchObject({
      ...DENIED,
      message: expect.stringContaining('signed for something else'),
    });
  });

  it('counts once, also when it is shown twice at the same time', async () => {
    const house = await openHouse();
    const { passkeys, visit } = house;
    const { authenticator } = await makeFirst(house, visit);
    const { options } = await passkeys.beginAnswer(YES, visit);
    const confirmed = { ...YES, assertion: authenticator.get(options) };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => passkeys.confirmAnswer(confirmed, visit)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(passkeys.confirmAnswer(confirmed, visit)).rejects.toMatchObject(DENIED);
  });

  it('counts for five minutes, and not longer when the clock is set back', async () => {
    const house = await openHouse();
    const { passkeys, visit, registry } = house;
    const { authenticator } = await makeFirst(house, visit);
    for (const passedMs of [300_000, -60_001]) {
      const { options } = await passkeys.beginAnswer(YES, visit);
      registry.time.ms += passedMs;
      const assertion = authenticator.get(options);
      await expect(passkeys.confirmAnswer({ ...YES, assertion }, visit)).rejects.toMatchObject(
        DENIED,
      );
    }
  });

  it('counts in the session that was asked, and on its own page', async () => {
    const house = await openHouse();
    const { passkeys, visit, owner, registry } = house;
    const { authenticator } = await makeFirst(house, visit);
    const carried = visitOf(registry, owner, 'http://localhost:9000');
    const moved = { ...visit, origin: carried.origin };
    for (const elsewhere of [visitOf(registry, owner), carried, moved]) {
      const { options } = await passkeys.beginAnswer(YES, visit);
      const assertion = authenticator.get(options, { origin: elsewhere.origin });
      await expect(passkeys.confirmAnswer({ ...YES, assertion }, elsewhere)).rejects.toMatchObject(
        DENIED,
      );
    }
  });

  it('does not count with a counter that went back or stood still', async () => {
    const house = await openHouse();
    const { passkeys, visit } = house;
    const { authenticator } = await makeFirst(house, visit, { counter: 40 });
    for (const counter of [39, 40, 0]) {
      const { options } = await passkeys.beginAnswer(YES, visit);
      const assertion = authenticator.get(options, { counter });
      await expect(passkeys.confirmAnswer({ ...YES, assertion }, visit)).rejects.toMatchObject(
        DENIED,
      );
    }
    const { options } = await passkeys.beginAnswer(YES, visit);
    const assertion = authenticator.get(options, { counter: 41 });
    await passkeys.confirmAnswer({ ...YES, assertion }, visit);
  });

  it('counts from an authenticator that never counts, as those in the cloud do', async () => {
    const house = await openHouse();
    const { passkeys, visit } = house;
    const { authenticator } = await makeFirst(house, visit, { counter: 0 });
    for (let time = 0; time < 2; time += 1) {
      const { options } = await passkeys.beginAnswer(YES, visit);
      const assertion = authenticator.get(options, { counter: 0 });
      const confirming = passkeys.confirmAnswer({ ...YES, assertion }, visit);
      await expect(confirming).resolves.toBeUndefined();
    }
  });

  it('does not count from a passkey that was removed, or was never one of theirs', async () => {
    const house = await openHouse();
    const { passkeys, visit } = house;
    const first = await makeFirst(house, visit);
    const lost = await makeFurther(house, first.authenticator, 'lost');
    const bob = await otherMember(house);
    const bobs = await makeFirst(house, bob);
    const removal = await passkeys.beginRemoval(removing('lost'), visit);
    const proof = first.authenticator.get(removal.options);
    await passkeys.removeConfirmed(removing('lost', proof), visit);
    const stranger = new SoftwareAuthenticator(ORIGIN);
    for (const other of [lost.authenticator, bobs.authenticator, stranger]) {
      const { options } = await passkeys.beginAnswer(YES, visit);
      const assertion = other.get(options);
      await expect(passkeys.confirmAnswer({ ...YES, assertion }, visit)).rejects.toMatchObject({
        ...DENIED,
        message: expect.stringContaining('none of your passkeys'),
      });
    }
    const { options: last } = await passkeys.beginAnswer(YES, visit);
    const { credentialId } = first.authenticator;
    const forged = stranger.get(last, { credentialId });
    await expect(
      passkeys.confirmAnswer({ ...YES, assertion: forged }, visit),
    ).rejects.toMatchObject(DENIED);
  });

  it('does not count for another member, whose challenge it is not', async () => {
    const house = await openHouse();
    const { passkeys, visit } = house;
    const { authenticator } = await makeFirst(house, visit);
    const bob = await otherMember(house);
    await makeFirst(house, bob);
    const { options } = await passkeys.beginAnswer(YES, visit);
    const assertion = authenticator.get(options);
    await expect(passkeys.confirmAnswer({ ...YES, assertion }, bob)).rejects.toMatchObject({
      ...DENIED,
      message: expect.stringContaining('no open challenge'),
    });
  });

  it('is one of eight that are open; the oldest makes room', async () => {
    const house = await openHouse();
    const { passkeys, visit } = house;
    const { authenticator } = await makeFirst(house, visit);
    const { options } = await passkeys.beginAnswer(YES, visit);
    for (let more = 0; more < 8; more += 1) await passkeys.beginAnswer(YES, visit);
    const assertion = authenticator.get(options);
    await expect(passkeys.confirmAnswer({ ...YES, assertion }, visit)).rejects.toMatchObject(
      DENIED,
    );
  });
});

describe('a new passkey', () => {
  it.each(WRONG)('of %s is refused', async (_what, saying) => {
    const house = await openHouse();
    await expect(makeFirst(house, house.visit, saying)).rejects.toMatchObject(DENIED);
    expect(await house.passkeys.list(house.owner)).toEqual([]);
  });

  it('comes without certificates, whose addresses somebody would look up', async () => {
    const house = await openHouse();
    const certificate = new Map([['x5c', [new Uint8Array(3)]]]);
    for (const format of ['packed', 'fido-u2f', 'android-key', 'apple', 'tpm', 'unheard-of']) {
      const saying = { format, statement: certificate };
      await expect(makeFirst(house, house.visit, saying)).rejects.toMatchObject(DENIED);
    }
  });

  it('may be attested by itself, and by nobody in its place', async () => {
    const house = await openHouse();
    const forged = new Map<string, number | Uint8Array>([
      ['alg', -7],
      ['sig', new Uint8Array(70)],
    ]);
    const wrong = { format: 'packed', statement: forged };
    await expect(makeFirst(house, house.visit, wrong)).rejects.toMatchObject(DENIED);
    await makeFirst(house, house.visit, { format: 'packed' });
  });

  it('is registered once', async () => {
    const house = await openHouse();
    const { passkeys, visit } = house;
    const { authenticator } = await makeFirst(house, visit);
    const { options } = await passkeys.begin(visit);
    const request = finishing({ name: 'again', credential: authenticator.create(options) });
    const assertion = authenticator.get((await passkeys.beginAddition(request, visit)).options);
    await expect(
      passkeys.finish(finishing({ ...request, assertion }), visit),
    ).rejects.toMatchObject({ ...DENIED, message: expect.stringContaining('known already') });
  });

  it('is the very one for which the earlier one has vouched', async () => {
    const house = await openHouse();
    const { passkeys, visit } = house;
    const { authenticator } = await makeFirst(house, visit);
    const { options } = await passkeys.begin(visit);
    const meant = finishing({
      name: 'phone',
      credential: new SoftwareAuthenticator(ORIGIN).create(options),
    });
    const other = finishing({
      name: 'phone',
      credential: new SoftwareAuthenticator(ORIGIN).create(options),
    });
    const assertion = authenticator.get((await passkeys.beginAddition(meant, visit)).options);
    await expect(passkeys.finish(finishing({ ...other, assertion }), visit)).rejects.toMatchObject({
      ...DENIED,
      message: expect.stringContaining('something else'),
    });
  });

  it('is not confirmed by what was signed for an answer, nor removed by it', async () => {
    const house = await openHouse();
    const { passkeys, visit } = house;
    const { authenticator, passkey } = await makeFirst(house, visit);
    const sign = async () => authenticator.get((await passkeys.beginAnswer(YES, visit)).options);
    const { options } = await passkeys.begin(visit);
    const credential = new SoftwareAuthenticator(ORIGIN).create(options);
    await expect(
      passkeys.finish(finishing({ credential, assertion: await sign() }), visit),
    ).rejects.toMatchObject(DENIED);
    await expect(
      passkeys.removeConfirmed(removing(passkey.passkeyId, await sign()), visit),
    ).rejects.toMatchObject(DENIED);
  });

  it('is not made where no browser would find it again', async () => {
    const { passkeys, owner, registry } = await openHouse();
    for (const origin of ['http://127.0.0.1:7142', 'http://[::1]:7142', 'http://evil.example']) {
      await expect(passkeys.begin(visitOf(registry, owner, origin))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        help: expect.stringContaining('`transport.console`'),
      });
    }
  });
});

describe('what is too long, too deep or nothing at all', () => {
  const deep = Buffer.alloc(9_000, 0x81).toString('base64url');
  const shaped = (response: object) =>
    JSON.stringify({ id: 'AA', rawId: 'AA', type: 'public-key', response });

  const attempts = async ({ passkeys, visit }: House, text: string) => [
    await outcome(passkeys.finish(finishing({ credential: text }), visit)),
    await outcome(passkeys.confirmAnswer({ ...YES, assertion: text }, visit)),
  ];

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a number', '7'],
    ['nested JSON', '['.repeat(8_000)],
    ['too much', JSON.stringify({ id: 'A'.repeat(20_000) })],
    ['a long id', shaped({}).replaceAll('AA', 'A'.repeat(1_400))],
    ['no text', shaped({ clientDataJSON: 7, attestationObject: [], signature: {} })],
  ])('%s is malformed', async (_what, text) => {
    const house = await openHouse();
    await makeFirst(house, house.visit);
    expect(await attempts(house, text)).toEqual(['INVALID_INPUT', 'INVALID_INPUT']);
  });

  it('CBOR without a bottom, and client data that is none, are refused', async () => {
    const house = await openHouse();
    const { passkeys, visit } = house;
    const { options } = await passkeys.begin(visit);
    const honest = JSON.parse(new SoftwareAuthenticator(ORIGIN).create(options));
    for (const response of [
      { ...honest.response, attestationObject: deep },
      { ...honest.response, clientDataJSON: deep },
      { ...honest.response, clientDataJSON: Buffer.from('null').toString('base64url') },
    ]) {
      const credential = JSON.stringify({ ...honest, response });
      expect(await outcome(passkeys.finish(finishing({ credential }), visit))).toBe(
        'PERMISSION_DENIED',
      );
    }
  });
});

async function outcome(attempt: Promise<unknown>): Promise<unknown> {
  return await attempt.then(
    () => 'taken',
    (reason: unknown) =>
      typeof reason === 'object' && reason !== null && 'code' in reason ? reason.code : reason,
  );
}
