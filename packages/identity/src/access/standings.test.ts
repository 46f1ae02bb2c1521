import { create } from '@bufbuild/protobuf';
import {
  CreateTokenRequestSchema,
  DeviceKind,
  Permission,
  PrincipalKind,
  Role,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { callerWith, openRegistry, ownerOf, pairDevice } from '../registry/registry.fixture.ts';
import { Standings } from './standings.ts';

async function openStandings() {
  const registry = openRegistry();
  const owner = await ownerOf(registry);
  const bob = await callerWith(registry, Role.ADMIN, 'bob');
  const { deviceId } = await pairDevice(registry, bob, { kind: DeviceKind.CLI });
  const { token } = await registry.tokens.create(
    create(CreateTokenRequestSchema, {
      label: 'ci',
      scopes: [Permission.SESSIONS_USE, Permission.MEMORY_USE],
      lifetimeSeconds: 60n,
    }),
    bob,
  );
  return { ...registry, standings: new Standings(registry), owner, bob, deviceId, token };
}

describe('the standing of a member', () => {
  it('is the role that they have now, through the device that they asked with', async () => {
    const { standings, bob, deviceId, members, owner } = await openStandings();
    expect(await standings.of(bob.principal, deviceId)).toEqual({
      principal: bob.principal,
      kind: PrincipalKind.USER,
      member: bob.principal,
      name: 'bob',
      role: Role.ADMIN,
      scopes: [],
    });
    await members.changeRole('bob', Role.OPERATOR, owner);
    expect((await standings.of(bob.principal, deviceId)).role).toBe(Role.OPERATOR);
  });

  it('is never more than their device is limited to', async () => {
    const { standings, bob, ...registry } = await openStandings();
    const limited = await pairDevice(registry, bob, {
      kind: DeviceKind.CLI,
      roleLimit: Role.OPERATOR,
    });
    expect((await standings.of(bob.principal, limited.deviceId)).role).toBe(Role.OPERATOR);
  });

  it.each(['revoked', 'removed', 'of somebody else', 'unknown', 'none'] as const)(
    'is nothing when their device is %s',
    async (which) => {
      const opened = await openStandings();
      const { standings, bob, owner, deviceId, devices } = opened;
      let device = which === 'none' ? '' : deviceId;
      if (which === 'revoked') await devices.revoke(deviceId, owner);
      if (which === 'removed') {
        await devices.revoke(deviceId, owner);
        await devices.remove(deviceId, owner);
      }
      if (which === 'unknown') device = opened.ids.next<'device'>();
      if (which === 'of somebody else') {
        ({ deviceId: device } = await pairDevice(opened, owner, { kind: DeviceKind.CLI }));
      }
      expect((await standings.of(bob.principal, device)).role).toBe(Role.UNSPECIFIED);
    },
  );

  it('is nothing once they are removed', async () => {
    const { standings, bob, owner, deviceId, members } = await openStandings();
    await members.remove('bob', owner);
    const standing = await standings.of(bob.principal, deviceId);
    expect(standing).toMatchObject({ role: Role.UNSPECIFIED, member: '' });
  });
});

describe('the standing of a token', () => {
  it('is its member with its scopes, as far as they still hold', async () => {
    const { standings, bob, token } = await openStandings();
    expect(await standings.of(`token:${token.tokenId}`, '')).toEqual({
      principal: `token:${token.tokenId}`,
      kind: PrincipalKind.TOKEN,
      member: bob.principal,
      name: 'bob',
      role: Role.ADMIN,
      scopes: ['sessions.use', 'memory.use'],
    });
  });

  it.each(['revoked', 'past its time', 'without its member', 'unknown'] as const)(
    'is nothing when it is %s',
    async (which) => {
      const { standings, bob, owner, token, ...registry } = await openStandings();
      const principal = which === 'unknown' ? 'token:none' : `token:${token.tokenId}`;
      await standings.of(principal, '');
      if (which === 'revoked') await registry.tokens.revoke('ci', bob);
      if (which === 'past its time') registry.time.ms += 60_000;
      if (which === 'without its member') await registry.members.remove('bob', owner);
      const standing = await standings.of(principal, '');
      expect(standing).toMatchObject({ role: Role.UNSPECIFIED, scopes: [] });
    },
  );
});

describe('the standing of anything else', () => {
  it.each([
    ['worker:x', PrincipalKind.WORKER],
    ['device:x', PrincipalKind.DEVICE],
    ['agent:x', PrincipalKind.AGENT],
    ['', PrincipalKind.UNSPECIFIED],
    ['__proto__', PrincipalKind.UNSPECIFIED],
  ])('of `%s` is nothing', async (principal, kind) => {
    const { standings } = await openStandings();
    expect(await standings.of(principal, '')).toEqual({
      principal,
      kind,
      member: '',
      name: '',
      role: Role.UNSPECIFIED,
      scopes: [],
    });
  });
});
