import { Permission, PrincipalKind, Role } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { callerIn } from './caller.ts';

const told = (value: unknown) => callerIn(new Response(JSON.stringify(value)));

it('reads whoever the gateway tells of', async () => {
  const caller = {
    principal: 'user:01J',
    kind: PrincipalKind.USER,
    name: 'Ada',
    role: Role.OWNER,
    permissions: [Permission.SESSIONS_USE, Permission.APPROVALS_ANSWER],
    deviceId: '',
  };
  expect(await told({ ...caller, expiresAt: '2030-01-01T00:00:00Z' })).toEqual(caller);
});

it('takes what it does not know for nothing', async () => {
  const odd = { principal: 'user:01J', kind: 'x', role: 999, permissions: [0.5, 'all', 999] };
  expect(await told(odd)).toEqual({
    principal: 'user:01J',
    kind: PrincipalKind.UNSPECIFIED,
    name: '',
    role: Role.UNSPECIFIED,
    permissions: [],
    deviceId: '',
  });
});

it('refuses words that name nobody', async () => {
  for (const value of [[], 'owner', { principal: 7 }, {}]) {
    await expect(told(value)).rejects.toMatchObject({ code: 'UNEXPECTED' });
  }
});
