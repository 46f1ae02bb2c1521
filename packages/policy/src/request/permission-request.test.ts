import { Permission, PrincipalKind, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { NOON } from './call.fixture.ts';
import { requestForMatter, requestForPermission } from './permission-request.ts';

const ann = {
  principal: 'user:ann',
  kind: PrincipalKind.USER,
  permissions: new Set([Permission.SESSIONS_USE]),
  member: { userId: 'ann', name: 'Ann', role: Role.ADMIN },
  deviceId: 'device-1',
};

it('a permission is an action on the gateway', () => {
  const permission = Permission.POLICY_MANAGE;
  expect(requestForPermission({ caller: ann, permission, channel: 'console', now: NOON })).toEqual({
    principal: { type: 'User', id: 'ann' },
    action: 'policy.manage',
    resource: { type: 'Gateway', id: 'gateway' },
    context: {
      channel: { type: 'Channel', id: 'console' },
      device: 'device-1',
      permission: 'policy.manage',
      time: { date: '2026-11-16', weekday: 1, hour: 12, minute: 34 },
    },
    entities: [
      {
        uid: { type: 'User', id: 'ann' },
        attrs: { name: 'Ann' },
        parents: [
          { type: 'Role', id: 'operator' },
          { type: 'Role', id: 'admin' },
        ],
      },
    ],
  });
});

it('what is open to every caller is reading the status', () => {
  const asked = { caller: ann, permission: undefined, channel: 'cli', now: NOON };
  expect(requestForPermission(asked)).toMatchObject({
    action: 'status.read',
    context: { permission: 'status.read' },
  });
});

it('a token tells its scopes and its owner', () => {
  const caller = {
    principal: 'token:t1',
    kind: PrincipalKind.TOKEN,
    permissions: new Set([Permission.SESSIONS_USE, Permission.MEMORY_USE]),
    member: ann.member,
  };
  const permission = Permission.SESSIONS_USE;
  expect(requestForPermission({ caller, permission, channel: 'api', now: NOON })).toMatchObject({
    principal: { type: 'Token', id: 't1' },
    context: { device: '' },
    entities: [
      {
        attrs: {
          owner: { type: 'User', id: 'ann' },
          scopes: ['memory.use', 'sessions.use'],
        },
      },
      { uid: { type: 'User', id: 'ann' } },
    ],
  });
});

it('a device that acts for nobody has no role', () => {
  const caller = {
    principal: 'worker:w1',
    kind: PrincipalKind.WORKER,
    permissions: new Set<Permission>(),
  };
  const asked = { caller, permission: undefined, channel: 'worker', now: NOON };
  expect(requestForPermission(asked)).toMatchObject({
    principal: { type: 'Worker', id: 'w1' },
    entities: [{ parents: [] }],
  });
});

it('somebody of an unknown kind is a problem', () => {
  const caller = { ...ann, kind: PrincipalKind.UNSPECIFIED };
  const asked = { caller, permission: undefined, channel: 'cli', now: NOON };
  expect(requestForPermission(asked)).toEqual({ problem: 'nobody knows what `user:ann` is' });
});

describe('the runs and sessions of somebody', () => {
  const asked = (owner: string) =>
    requestForMatter({
      caller: ann,
      matter: { action: 'work.stop', owner },
      channel: 'cli',
      now: NOON,
    });

  it.each([
    ['user:bob', { user: { type: 'User', id: 'bob' } }],
    ['token:t:1', { token: { type: 'Token', id: 't:1' } }],
    ['everybody', {}],
    ['device:d', {}],
    ['user:', {}],
    ['', {}],
  ])('of `%s` know whose they are', (owner, attrs) => {
    const uid = { type: 'Work', id: owner };
    expect(asked(owner)).toMatchObject({
      principal: { type: 'User', id: 'ann' },
      action: 'work.stop',
      resource: uid,
      context: { permission: 'sessions.use' },
      entities: [{ uid: { type: 'User', id: 'ann' } }, { uid, attrs, parents: [] }],
    });
  });
});

describe('somebody who may come in', () => {
  const asked = (action: string, userId: string) =>
    requestForMatter({
      caller: ann,
      matter: { action, member: { userId, role: Role.ADMIN } },
      channel: 'cli',
      now: NOON,
    });
  const roles = [
    { type: 'Role', id: 'operator' },
    { type: 'Role', id: 'admin' },
  ];

  it('is in every role up to theirs, and known by who they are', () => {
    const uid = { type: 'Member', id: 'bob' };
    const attrs = { user: { type: 'User', id: 'bob' } };
    expect(asked('people.admit', 'bob')).toMatchObject({
      action: 'people.admit',
      resource: uid,
      context: { permission: 'devices.manage' },
      entities: [{ uid: { type: 'User', id: 'ann' } }, { uid, attrs, parents: roles }],
    });
  });

  it('is nobody yet who is only to be added', () => {
    const uid = { type: 'Member', id: 'new' };
    expect(asked('people.change', '')).toMatchObject({
      context: { permission: 'members.manage' },
      entities: [{}, { uid, attrs: {}, parents: roles }],
    });
  });

  it('is a problem where nothing of that name is done with people', () => {
    expect(asked('people.praise', 'bob')).toEqual({
      problem: 'nothing is known as `people.praise`',
    });
  });
});
