import { create } from '@bufbuild/protobuf';
import {
  CreateTokenRequestSchema,
  DeviceState,
  Permission,
  PrincipalKind,
  Role,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import {
  asToken,
  callerWith,
  openRegistry,
  ownerOf,
  pairDevice,
  refusal,
  registryOn,
} from './registry.fixture.ts';

describe('the first start', () => {
  it('makes one owner, whose doing it is nobody else’s than the gateway’s', async () => {
    const { members, records } = openRegistry();
    await members.addFirstOwner('ada');
    await members.addFirstOwner('bob');
    expect(await members.list()).toMatchObject([
      { name: 'ada', role: Role.OWNER, workspaceId: 'main', addedBy: 'gateway' },
    ]);
    expect(records.kinds()).toEqual(['member.added']);
    expect(records.entries[0]?.actor).toBe('gateway');
  });

  it('makes one owner when two daemons start at the same time', async () => {
    const { members, records } = openRegistry();
    const other = registryOn(records).members;
    records.beforeNextTransact(() => other.addFirstOwner('bob'));
    await members.addFirstOwner('ada');
    expect((await members.list()).map(({ name }) => name)).toEqual(['bob']);
  });
});

describe('a member', () => {
  it('is found by id and by name', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const userId = owner.member?.userId ?? '';
    expect((await registry.members.find('ada')).userId).toBe(userId);
    expect((await registry.members.find(userId)).name).toBe('ada');
    await expect(registry.members.find('eve')).rejects.toMatchObject(refusal('NOT_FOUND'));
  });

  it.each(['', 'Ada', '.ada', 'a da', 'a'.repeat(33), 'ada\n', 'ädä', '-x'])(
    'cannot be called `%s`',
    async (name) => {
      const registry = openRegistry();
      const owner = await ownerOf(registry);
      const adding = registry.members.add(name, Role.OPERATOR, owner);
      await expect(adding).rejects.toMatchObject(refusal('INVALID_INPUT'));
    },
  );

  it('has a name of their own, also when two are added at the same time', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    registry.records.beforeNextTransact(async () => {
      await registry.members.add('bob', Role.ADMIN, owner);
    });
    const adding = registry.members.add('bob', Role.OPERATOR, owner);
    await expect(adding).rejects.toMatchObject(refusal('INVALID_INPUT'));
    expect(await registry.members.list()).toHaveLength(2);
  });

  it('needs a role that there is', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const adding = registry.members.add('bob', Role.UNSPECIFIED, owner);
    await expect(adding).rejects.toMatchObject(refusal('INVALID_INPUT'));
    const changing = registry.members.changeRole('ada', Role.UNSPECIFIED, owner);
    await expect(changing).rejects.toMatchObject(refusal('INVALID_INPUT'));
  });
});

describe('standing', () => {
  it('lets nobody touch a member above them, nor raise one above themselves', async () => {
    const registry = openRegistry();
    await ownerOf(registry);
    const admin = await callerWith(registry, Role.ADMIN, 'bob');
    await callerWith(registry, Role.OPERATOR, 'cy');
    const { members } = registry;
    const before = registry.records.entries.length;
    const attempts = [
      () => members.add('eve', Role.OWNER, admin),
      () => members.changeRole('cy', Role.OWNER, admin),
      () => members.changeRole('bob', Role.OWNER, admin),
      () => members.changeRole('ada', Role.ADMIN, admin),
      () => members.remove('ada', admin),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
    }
    expect(registry.records.entries.length).toBe(before);
    expect(await members.changeRole('cy', Role.ADMIN, admin)).toMatchObject({ role: Role.ADMIN });
  });

  it('is that of the moment, not that of when the caller was proven', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const admin = await callerWith(registry, Role.ADMIN, 'bob');
    registry.records.beforeNextTransact(async () => {
      await registry.members.changeRole('bob', Role.OPERATOR, owner);
    });
    const adding = registry.members.add('eve', Role.ADMIN, admin);
    await expect(adding).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
  });

  it('is not had by a program or a device, whatever their permissions', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const { member: _member, ...nobody } = owner;
    for (const caller of [asToken(owner), { ...nobody, kind: PrincipalKind.WORKER }, nobody]) {
      const adding = registry.members.add('eve', Role.OPERATOR, caller);
      await expect(adding).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
      const removing = registry.members.remove('ada', caller);
      await expect(removing).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
    }
  });
});

describe('the last owner', () => {
  it('can be neither removed nor lowered', async () => {
    const registry = openRegistry();
    const owner = await ownerOf(registry);
    const removing = registry.members.remove('ada', owner);
    await expect(removing).rejects.toMatchObject(refusal('LAST_OWNER'));
    const lowering = registry.members.changeRole('ada', Role.ADMIN, owner);
    await expect(lowering).rejects.toMatchObject(refusal('LAST_OWNER'));
    expect(await registry.members.earliestOwner()).toMatchObject({ name: 'ada' });
  });

  it('stays when two owners remove one another at the same time', async () => {
    const registry = openRegistry();
    const ada = await ownerOf(registry);
    const bob = await callerWith(registry, Role.OWNER, 'bob');
    const other = registryOn(registry.records).members;
    const outcomes = await Promise.allSettled([
      registry.members.remove('bob', ada),
      other.remove('ada', bob),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await registry.members.list()).toHaveLength(1);
  });

  it('stays when each of two owners steps down at the same time', async () => {
    const registry = openRegistry();
    const ada = await ownerOf(registry);
    const bob = await callerWith(registry, Role.OWNER, 'bob');
    const outcomes = await Promise.allSettled([
      registry.members.changeRole('ada', Role.ADMIN, ada),
      registry.members.remove('bob', bob),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await registry.members.earliestOwner()).toMatchObject({ role: Role.OWNER });
  });
});

describe('removing a member', () => {
  it('revokes their devices and tokens in the same change, and nobody else’s', async () => {
    const registry = openRegistry();
    const ada = await ownerOf(registry);
    const bob = await callerWith(registry, Role.ADMIN, 'bob');
    await pairDevice(registry, ada);
    await pairDevice(registry, bob);
    const request = create(CreateTokenRequestSchema, {
      label: 'ci',
      scopes: [Permission.SESSIONS_USE],
    });
    await registry.tokens.create(request, bob);
    const before = registry.records.kinds().length;
    await registry.members.remove('bob', ada);
    expect(registry.records.kinds().slice(before)).toEqual([
      'member.removed',
      'device.revoked',
      'token.revoked',
    ]);
    expect((await registry.devices.list()).map(({ state }) => state)).toEqual([
      DeviceState.ACTIVE,
      DeviceState.REVOKED,
    ]);
    expect(await registry.tokens.list()).toMatchObject([{ revokedBy: ada.principal }]);
    expect(registry.records.kinds().length).toBe(before + 3);
  });

  it('ends what does not fit into one change in further steps', async () => {
    const registry = openRegistry();
    const ada = await ownerOf(registry);
    const bob = await callerWith(registry, Role.ADMIN, 'bob');
    for (let count = 0; count < 150; count += 1) await pairDevice(registry, bob);
    await registry.members.remove('bob', ada);
    const states = new Set((await registry.devices.list()).map(({ state }) => state));
    expect(states).toEqual(new Set([DeviceState.REVOKED]));
  });

  it('reads again when one of their devices changes meanwhile', async () => {
    const registry = openRegistry();
    const ada = await ownerOf(registry);
    const bob = await callerWith(registry, Role.ADMIN, 'bob');
    await pairDevice(registry, bob);
    registry.records.beforeNextTransact(async () => {
      await registry.devices.rename('laptop', 'phone', bob);
    });
    await registry.members.remove('bob', ada);
    expect(await registry.devices.get('phone')).toMatchObject({ state: DeviceState.REVOKED });
  });
});

it('the sweep ends what a crash left behind, and nobody else’s', async () => {
  const registry = openRegistry();
  const ada = await ownerOf(registry);
  const bob = await callerWith(registry, Role.ADMIN, 'bob');
  await pairDevice(registry, ada);
  for (let count = 0; count < 60; count += 1) await pairDevice(registry, bob);
  const [, row] = await registry.tables.members.all();
  if (row === undefined) throw new Error('there is a second member');
  const why = { kind: 'member.removed', actor: 'gateway', payload: {} } as const;
  await registry.records.transact({ writes: [registry.tables.members.drop(row)], entries: [why] });
  const active = async () =>
    (await registry.devices.list()).filter(({ state }) => state === DeviceState.ACTIVE).length;
  await registry.endings.sweep();
  expect(await active()).toBe(1 + 12);
  await registry.endings.sweep();
  expect(await active()).toBe(1);
  const before = registry.records.entries.length;
  await registry.endings.sweep();
  expect(registry.records.entries.length).toBe(before);
});

it('the export has members, devices and tokens, and nothing that opens a door', async () => {
  const registry = openRegistry();
  const ada = await ownerOf(registry);
  await pairDevice(registry, ada);
  const request = create(CreateTokenRequestSchema, {
    label: 'ci',
    scopes: [Permission.SESSIONS_USE],
  });
  const { secret } = await registry.tokens.create(request, ada);
  const [row] = await registry.tables.tokens.all();
  const text = await registry.members.export();
  expect(JSON.parse(text)).toMatchObject({
    format: 'palyra.access.v1',
    members: [{ name: 'ada', role: 'ROLE_OWNER' }],
    devices: [{ name: 'laptop', kind: 'DEVICE_KIND_CLI' }],
    tokens: [{ label: 'ci', scopes: ['PERMISSION_SESSIONS_USE'] }],
  });
  expect(text).not.toContain(secret);
  expect(text).not.toContain(row?.id);
});
