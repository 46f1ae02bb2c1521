import { create } from '@bufbuild/protobuf';
import { CreateTokenRequestSchema, DeviceState, Permission, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../caller.ts';
import { lineageOf, MadeThrough } from './made.ts';
import {
  callerFor,
  callerWith,
  openRegistry,
  ownerOf,
  pairDevice,
  type Registry,
  refusal,
} from './registry.fixture.ts';

async function openStolen() {
  const registry = openRegistry();
  const owner = await ownerOf(registry);
  const stolen = await pairDevice(registry, owner, { name: 'stolen' });
  const thief = { ...owner, ...actingThrough(owner, [stolen.deviceId]) };
  return { ...registry, registry, owner, stolen, thief, made: new MadeThrough(registry) };
}

function actingThrough({ principal }: Caller, through: readonly string[]) {
  return { through, actor: `${principal} via device:${through.at(-1)}` };
}

async function makeToken({ tokens }: Registry, caller: Caller, label: string) {
  const request = create(CreateTokenRequestSchema, { label, scopes: [Permission.SESSIONS_USE] });
  return (await tokens.create(request, caller)).token;
}

describe('what came of a stolen device', () => {
  it('is told while it is in force', async () => {
    const { registry, owner, stolen, thief, made } = await openStolen();
    const second = await pairDevice(registry, thief, { name: 'second' });
    const through = [stolen.deviceId, second.deviceId];
    const deeper = { ...owner, ...actingThrough(owner, through) };
    const third = await pairDevice(registry, deeper, { name: 'third' });
    const token = await makeToken(registry, deeper, 'ci');
    await makeToken(registry, owner, 'honest');
    expect(token.createdBy).toBe(deeper.actor);
    const told = await made.made(stolen.deviceId);
    expect(told.devices.map(({ deviceId }) => deviceId)).toEqual([second.deviceId, third.deviceId]);
    expect(told.tokens).toEqual([token.tokenId]);
    // A link of the chain that was removed hides nothing.
    await registry.devices.remove(second.deviceId, owner);
    const left = (await made.made(stolen.deviceId)).devices.map(({ deviceId }) => deviceId);
    expect(left).toEqual([third.deviceId]);
  });

  it('is ended along with it, in steps, and all else stays', async () => {
    const { registry, records, owner, stolen, thief, made } = await openStolen();
    const honest = await pairDevice(registry, owner, { name: 'honest' });
    for (let count = 0; count < 60; count += 1) await pairDevice(registry, thief);
    await makeToken(registry, thief, 'ci');
    const honestToken = await makeToken(registry, owner, 'honest');
    const ended = await made.revokeMade(stolen.deviceId, owner);
    expect(ended.devices).toHaveLength(60);
    expect(ended.devices.every(({ state }) => state === DeviceState.REVOKED)).toBe(true);
    expect(ended.devices[0]?.revokedBy).toBe(owner.actor);
    expect(ended.tokens).toEqual([]);
    expect(await made.made(stolen.deviceId)).toEqual({ devices: [], tokens: [] });
    expect((await registry.devices.get(honest.deviceId)).state).toBe(DeviceState.ACTIVE);
    const inForce = (await registry.tokens.list()).filter(({ revokedAt }) => revokedAt === '');
    expect(inForce.map(({ tokenId }) => tokenId)).toEqual([honestToken.tokenId]);
    expect(records.kinds().filter((kind) => kind === 'device.revoked')).toHaveLength(60);
  });

  it('includes a token whose secret was shown there, and not one that was rotated elsewhere', async () => {
    const { registry, owner, stolen, thief, made } = await openStolen();
    const taken = await makeToken(registry, owner, 'taken');
    await makeToken(registry, thief, 'saved');
    await registry.tokens.rotate('taken', thief);
    await registry.tokens.rotate('saved', owner);
    expect((await made.made(stolen.deviceId)).tokens).toEqual([taken.tokenId]);
  });

  it('is found by the id of the stolen one also when the thief has removed that', async () => {
    const { registry, owner, stolen, thief, made } = await openStolen();
    const second = await pairDevice(registry, thief, { name: 'second' });
    await registry.devices.remove(stolen.deviceId, thief);
    const { deviceId } = await registry.devices.revoke(stolen.deviceId, owner);
    const { devices } = await made.revokeMade(deviceId, owner);
    expect(devices).toMatchObject([{ deviceId: second.deviceId, state: DeviceState.REVOKED }]);
    const unknown = registry.devices.revoke('01ARZ3NDEKTSV4RRFFQ69G5FAV', owner);
    await expect(unknown).rejects.toMatchObject(refusal('NOT_FOUND'));
  });

  it('stays where it belongs to somebody above the caller', async () => {
    const { registry, owner, stolen, thief, made, members } = await openStolen();
    const admin = await callerWith(registry, Role.ADMIN, 'bob');
    const olga = await callerWith(registry, Role.OPERATOR, 'olga');
    const through = { through: thief.through };
    const above = await pairDevice(registry, { ...owner, ...through });
    const below = await pairDevice(registry, { ...olga, ...through });
    const { devices } = await made.revokeMade(stolen.deviceId, admin);
    expect(devices.map(({ deviceId, state }) => [deviceId, state])).toEqual([
      [above.deviceId, DeviceState.ACTIVE],
      [below.deviceId, DeviceState.REVOKED],
    ]);
    expect(await members.list()).toHaveLength(3);
  });
});

it('a chain of devices that let one another in has an end', async () => {
  const owner = callerFor(await (await openStolen()).members.earliestOwner());
  const long = (count: number) => ({ ...owner, through: Array.from({ length: count }, () => 'x') });
  expect(lineageOf(long(32))).toHaveLength(32);
  expect(() => lineageOf(long(33))).toThrow(expect.objectContaining(refusal('OVERLOADED')));
});
