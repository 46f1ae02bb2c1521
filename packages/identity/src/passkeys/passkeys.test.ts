import { describe, expect, it } from 'vitest';
import { asToken, pairDevice, refusal } from '../registry/registry.fixture.ts';
import { SoftwareAuthenticator } from '@palyra/testkit';
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

const kinds = ({ registry }: House) =>
  registry.records.kinds().filter((kind) => kind.startsWith('passkey.'));

describe('a passkey', () => {
  it('is made in two steps, listed, renamed, and told of in the journal', async () => {
    const house = await openHouse();
    const { passkeys, owner, visit, registry } = house;
    const { passkey } = await makeFirst(house, visit);
    expect(await passkeys.list(owner)).toEqual([passkey]);
    expect(passkey).toMatchObject({
      name: 'laptop',
      createdAt: registry.clock.now().toISOString(),
      createdBy: visit.caller.actor,
      lastUsedAt: '',
      transports: ['internal'],
      isSynced: false,
    });
    await passkeys.rename('laptop', 'desk', owner);
    expect(await passkeys.list(owner)).toMatchObject([{ name: 'desk' }]);
    expect(kinds(house)).toEqual(['passkey.challenged', 'passkey.added', 'passkey.renamed']);
  });

  it('confirms one answer, and remembers that it was used', async () => {
    const house = await openHouse();
    const { passkeys, owner, visit, registry } = house;
    const { authenticator } = await makeFirst(house, visit);
    registry.time.ms += 60_000;
    const { options, expiresAt } = await passkeys.beginAnswer(YES, visit);
    expect(JSON.parse(options)).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [{ id: authenticator.credentialId, transports: ['internal'] }],
    });
    expect(Date.parse(expiresAt) - registry.time.ms).toBe(300_000);
    await passkeys.confirmAnswer({ ...YES, assertion: authenticator.get(options) }, visit);
    const [used] = await passkeys.list(owner);
    expect(used?.lastUsedAt).toBe(registry.clock.now().toISOString());
    expect(registry.records.entries.at(-2)).toMatchObject({
      kind: 'passkey.used',
      actor: owner.actor,
      payload: { confirms: 'approval.answer', about: YES.about, passkey: { name: 'laptop' } },
    });
  });

  it('tells the browser who it is for, and which ones are known already', async () => {
    const house = await openHouse();
    const { passkeys, owner, visit } = house;
    const { authenticator } = await makeFirst(house, visit);
    const { options, needsStepUp } = await passkeys.begin(visit);
    expect(needsStepUp).toBe(true);
    expect(JSON.parse(options)).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: 'ada', id: Buffer.from(owner.member?.userId ?? '').toString('base64url') },
      attestation: 'none',
      authenticatorSelection: { userVerification: 'required' },
      excludeCredentials: [{ id: authenticator.credentialId }],
    });
  });

  it('is added to an earlier one only with that one', async () => {
    const house = await openHouse();
    const { passkeys, owner, visit } = house;
    const { authenticator } = await makeFirst(house, visit);
    const { options } = await passkeys.begin(visit);
    const credential = new SoftwareAuthenticator(ORIGIN).create(options);
    await expect(passkeys.finish(finishing({ credential }), visit)).rejects.toMatchObject(
      refusal('INVALID_INPUT'),
    );
    await makeFurther(house, authenticator, 'phone');
    expect((await passkeys.list(owner)).map(({ name }) => name)).toEqual(['laptop', 'phone']);
  });

  it('is the first only in a console that was opened less than ten minutes ago', async () => {
    const house = await openHouse();
    const { passkeys, visit, registry } = house;
    registry.time.ms += 10 * 60_000 + 1;
    await expect(passkeys.begin(visit)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      help: expect.stringContaining('`palyra console`'),
    });
    await makeFirst(house, visitOf(registry, visit.caller));
  });

  it('is the first of one alone, when two began as the first', async () => {
    const house = await openHouse();
    const { passkeys, owner, visit, registry } = house;
    const thief = visitOf(registry, owner);
    const { options } = await passkeys.begin(thief);
    await makeFirst(house, visit);
    const credential = new SoftwareAuthenticator(ORIGIN).create(options);
    const wish = finishing({ credential, name: 'thief' });
    await expect(passkeys.finish(wish, thief)).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
    expect(await passkeys.list(owner)).toHaveLength(1);
  });

  it('is removed in the console with a passkey', async () => {
    const house = await openHouse();
    const { passkeys, owner, visit } = house;
    const { authenticator, passkey } = await makeFirst(house, visit);
    await expect(passkeys.removeConfirmed(removing('laptop'), visit)).rejects.toMatchObject(
      refusal('INVALID_INPUT'),
    );
    const { options } = await passkeys.beginRemoval(removing('laptop'), visit);
    const assertion = authenticator.get(options);
    await passkeys.removeConfirmed(removing(passkey.passkeyId, assertion), visit);
    expect(await passkeys.list(owner)).toEqual([]);
    expect(kinds(house).slice(-3)).toEqual([
      'passkey.challenged',
      'passkey.used',
      'passkey.removed',
    ]);
    expect(await house.registry.records.count('passkeys')).toBe(0);
  });

  it('is removed without one on the machine of the gateway only', async () => {
    const house = await openHouse();
    const { passkeys, owner, visit, registry } = house;
    await makeFirst(house, visit);
    const distant = await pairDevice(registry, owner);
    const local = await pairDevice(registry, owner, { name: 'local', isLocal: true });
    for (const deviceId of ['', distant.deviceId, 'unknown']) {
      await expect(passkeys.removeLocally('laptop', { ...owner, deviceId })).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
        help: expect.stringContaining('in the console'),
      });
    }
    await registry.devices.revoke(local.deviceId, owner);
    await expect(
      passkeys.removeLocally('laptop', { ...owner, deviceId: local.deviceId }),
    ).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
    const again = await pairDevice(registry, owner, { name: 'again', isLocal: true });
    await passkeys.removeLocally('laptop', { ...owner, deviceId: again.deviceId });
    expect(await passkeys.list(owner)).toEqual([]);
  });

  it('goes with its member, and what a crash left of it is swept', async () => {
    const house = await openHouse();
    const { owner, registry } = house;
    const bob = await otherMember(house);
    await makeFirst(house, bob);
    await registry.members.remove('bob', owner);
    expect(await registry.records.count('passkeys')).toBe(0);
    const left = { userId: 'gone', passkeys: [], challenges: [] };
    await registry.records.transact({
      writes: [{ table: 'passkeys', id: 'gone', expectedVersion: 0, body: left }],
      entries: [{ kind: 'passkey.challenged', actor: 'gateway', payload: {} }],
    });
    await registry.endings.sweep();
    expect(await registry.records.count('passkeys')).toBe(0);
  });

  it('is nothing for a program, and nothing that anybody else can see', async () => {
    const house = await openHouse();
    const { passkeys, owner, visit } = house;
    await makeFirst(house, visit);
    const token = asToken(owner);
    const denied = refusal('PERMISSION_DENIED');
    await expect(passkeys.list(token)).rejects.toMatchObject(denied);
    await expect(passkeys.begin({ ...visit, caller: token })).rejects.toMatchObject(denied);
    await expect(passkeys.beginAnswer(YES, { ...visit, caller: token })).rejects.toMatchObject(
      denied,
    );
    await expect(passkeys.rename('laptop', 'x', token)).rejects.toMatchObject(denied);
    await expect(passkeys.removeLocally('laptop', token)).rejects.toMatchObject(denied);
    const bob = await otherMember(house);
    expect(await passkeys.list(bob.caller)).toEqual([]);
    await expect(passkeys.rename('laptop', 'x', bob.caller)).rejects.toMatchObject(
      refusal('NOT_FOUND'),
    );
    await expect(passkeys.beginAnswer(YES, bob)).rejects.toMatchObject(refusal('NOT_FOUND'));
  });

  it('is one of sixteen at most', async () => {
    const house = await openHouse();
    const { passkeys, visit } = house;
    const { authenticator } = await makeFirst(house, visit);
    for (let made = 1; made < 16; made += 1) {
      await makeFurther(house, authenticator, `key ${made}`);
    }
    await expect(passkeys.begin(visit)).rejects.toMatchObject(refusal('OVERLOADED'));
  });

  it('has a name that people can read', async () => {
    const { passkeys, visit } = await openHouse();
    for (const name of ['', 'a\u202eb', 'x'.repeat(65)]) {
      await expect(passkeys.finish(finishing({ name }), visit)).rejects.toMatchObject(
        refusal('INVALID_INPUT'),
      );
    }
  });
});
