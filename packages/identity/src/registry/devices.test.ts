import { DeviceKind, DeviceState, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { MAX_DEVICES } from './devices.ts';
import {
  asToken,
  callerWith,
  openRegistry,
  ownerOf,
  pairDevice,
  refusal,
} from './registry.fixture.ts';

describe('a device', () => {
  it('is found by its id, or by a name that only one has', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const one = await pairDevice(registry, owner, { name: 'laptop' });
    expect((await registry.devices.get('laptop')).deviceId).toBe(one.deviceId);
    const two = await pairDevice(registry, owner, { name: 'laptop' });
    await expect(registry.devices.get('laptop')).rejects.toMatchObject(refusal('INVALID_INPUT'));
    expect((await registry.devices.get(two.deviceId)).deviceId).toBe(two.deviceId);
    await expect(registry.devices.get('phone')).rejects.toMatchObject(refusal('NOT_FOUND'));
  });

  it('is renamed, revoked and removed, each told in the journal', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const { deviceId } = await pairDevice(registry, owner);
    await registry.devices.rename(deviceId, 'Büro 2', owner);
    expect(await registry.devices.revoke('Büro 2', owner)).toMatchObject({
      state: DeviceState.REVOKED,
      revokedBy: owner.principal,
      revokedAt: '2030-01-02T03:04:05.000Z',
    });
    await registry.devices.revoke(deviceId, owner);
    await registry.devices.remove(deviceId, owner);
    expect(await registry.devices.list()).toEqual([]);
    expect(registry.records.kinds().slice(1)).toEqual([
      'device.paired',
      'device.renamed',
      'device.revoked',
      'device.removed',
    ]);
  });

  it('is told as revoked when it is removed at once', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const { deviceId } = await pairDevice(registry, owner);
    expect(await registry.devices.remove(deviceId, owner)).toMatchObject({
      state: DeviceState.REVOKED,
      revokedBy: owner.principal,
    });
  });

  it.each(['', ' laptop', 'a\nb', 'a\u202eb', 'x'.repeat(65), 'a`b', '01ARZ3NDEKTSV4RRFFQ69G5FAV'])(
    'cannot be called `%s`',
    async (name) => {
      const registry = openRegistry();
      const owner = await ownerOf(registry);
      const { deviceId } = await pairDevice(registry, owner);
      const renaming = registry.devices.rename(deviceId, name, owner);
      await expect(renaming).rejects.toMatchObject(refusal('INVALID_INPUT'));
    },
  );

  it('of a member above the caller cannot be touched, nor any by a program', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const admin = await callerWith(registry, Role.ADMIN, 'bob');
    const { deviceId } = await pairDevice(registry, owner);
    const before = registry.records.entries.length;
    for (const caller of [admin, asToken(owner)]) {
      const attempts = [
        registry.devices.rename(deviceId, 'mine', caller),
        registry.devices.revoke(deviceId, caller),
        registry.devices.remove(deviceId, caller),
      ];
      for (const attempt of attempts) {
        await expect(attempt).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
      }
    }
    expect(registry.records.entries.length).toBe(before);
  });

  it('stays revoked when it is renamed at the same time', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const { deviceId } = await pairDevice(registry, owner);
    registry.records.beforeNextTransact(async () => {
      await registry.devices.revoke(deviceId, owner);
    });
    expect(await registry.devices.rename(deviceId, 'phone', owner)).toMatchObject({
      name: 'phone',
      state: DeviceState.REVOKED,
    });
  });
});

describe('a paired device', () => {
  it('takes the place of the earlier local one of its name, and of no other', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const local = { name: 'cli', isLocal: true };
    const first = await pairDevice(registry, owner, local);
    const distant = await pairDevice(registry, owner, { name: 'cli' });
    const desktop = await pairDevice(registry, owner, { ...local, kind: DeviceKind.DESKTOP });
    const second = await pairDevice(registry, owner, local);
    const kept = (await registry.devices.list()).map(({ deviceId }) => deviceId);
    expect(kept).toEqual([distant.deviceId, desktop.deviceId, second.deviceId]);
    expect(kept).not.toContain(first.deviceId);
    expect(registry.records.kinds().slice(-2)).toEqual(['device.removed', 'device.paired']);
  });

  it('leaves the record of an earlier one that was revoked', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const local = { name: 'cli', isLocal: true };
    const stolen = await pairDevice(registry, owner, local);
    await registry.devices.revoke(stolen.deviceId, owner);
    const next = await pairDevice(registry, owner, local);
    const kept = (await registry.devices.list()).map(({ deviceId }) => deviceId);
    expect(kept).toEqual([stolen.deviceId, next.deviceId]);
  });

  it('needs a member who is still there', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const bob = await callerWith(registry, Role.ADMIN, 'bob');
    await registry.members.remove('bob', owner);
    await expect(pairDevice(registry, bob)).rejects.toMatchObject(refusal('NOT_FOUND'));
  });

  it('is refused when as many are kept as may be', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    for (let count = 0; count < MAX_DEVICES; count += 1) await pairDevice(registry, owner);
    await expect(pairDevice(registry, owner)).rejects.toMatchObject(refusal('OVERLOADED'));
    expect(await registry.tables.devices.count()).toBe(1000);
  });
});
