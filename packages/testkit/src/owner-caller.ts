import type { Caller } from '@palyra/gateway';
import { permissionsOf } from '@palyra/kernel';
import { PrincipalKind, Role } from '@palyra/protocol';

const USER_ID = '01JZ8Q6Y7D0M3W5K9RB2XN4TFC';

/** Who calls in a test that is not about who calls. */
export function ownerCaller(role: Role = Role.OWNER): Caller {
  return {
    principal: `user:${USER_ID}`,
    actor: `user:${USER_ID}`,
    kind: PrincipalKind.USER,
    permissions: permissionsOf(role),
    member: { userId: USER_ID, name: 'owner', role },
    channel: 'cli',
  };
}
