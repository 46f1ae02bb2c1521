import { PairingSecret, Role } from '@palyra/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryRecords } from '../records.fixture.ts';
import {
  begin,
  eventOf,
  FAR,
  finishOf,
  follow,
  issuedOf,
  NEAR,
  newDevice,
  openStage,
  type Stage,
} from './pairing.fixture.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

describe('a device of this machine', () => {
  const local = async (password: string, name = 'laptop') =>
    newDevice(stage.request, { password, name, secret: PairingSecret.LOCAL });

  it('needs nobody to confirm it, acts for the owner, and everything is journaled', async () => {
    const records = new MemoryRecords();
    const { house } = await stage.openHouse(records);
    const secret = house.localSecret();
    const proof = await begin(house, await local(secret), NEAR);
    const event = eventOf(await follow(house, proof.finish, NEAR).next());
    const { deviceId } = issuedOf(event, proof.agreement);
    expect(await house.devices.get(deviceId)).toMatchObject({
      isLocal: true,
      pairedBy: 'gateway',
      roleLimit: Role.OWNER,
      madeThrough: [],
      userId: house.owner.member?.userId,
    });
    expect(house.localSecret()).not.toBe(secret);
    expect(house.localSecret()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(records.kinds().slice(1)).toStrictEqual([
      'pairing.started',
      'pairing.tried',
      'pairing.proven',
      'pairing.approved',
      'device.paired',
      'pairing.completed',
    ]);
  });

  it('takes the place of the one of its name', async () => {
    const { house } = await stage.openHouse();
    for (const name of ['laptop', 'laptop', 'other']) {
      const proof = await begin(house, await local(house.localSecret(), name), NEAR);
      await follow(house, proof.finish, NEAR).next();
    }
    expect((await house.devices.list()).map(({ name }) => name)).toStrictEqual(['laptop', 'other']);
  });

  it('is one: of two that read the same secret the second has to read again', async () => {
    const { house } = await stage.openHouse();
    const secret = house.localSecret();
    const first = await begin(house, await local(secret), NEAR);
    const second = await begin(house, await local(secret), NEAR);
    await follow(house, first.finish, NEAR).next();
    await expect(follow(house, second.finish, NEAR).next()).rejects.toMatchObject({
      code: 'PAIRING_ENDED',
    });
  });

  it('is not anybody on the network, nor who does not know the secret', async () => {
    const { house } = await stage.openHouse();
    const device = await local(house.localSecret());
    await expect(house.pairings.begin(device.request, FAR)).rejects.toMatchObject({
      code: 'PAIRING_REFUSED',
    });
    const guess = await local('A'.repeat(43));
    const response = await house.pairings.begin(guess.request, NEAR);
    expect(guess.agree(response)).toBeUndefined();
    const { exchangeId, confirmation } = response;
    const finish = finishOf({ exchangeId, confirmation });
    await expect(follow(house, finish, NEAR).next()).rejects.toMatchObject({
      code: 'PAIRING_REFUSED',
    });
    expect(await house.devices.list()).toStrictEqual([]);
  });
});
