import { PERMISSIONS, isForPeopleOnly, permissionWord, permissionsOf } from '@palyra/kernel';
import { DecisionKind, Permission, PrincipalKind, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { decide } from '../engine/decide.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import { requestForPermission } from '../request/permission-request.ts';
import { isProblem } from '../request/problem.ts';
import { loadedBaseline } from './baseline.fixture.ts';

const PRINCIPALS = [
  ['user:ada', PrincipalKind.USER],
  ['token:ci', PrincipalKind.TOKEN],
  ['device:browser', PrincipalKind.DEVICE],
  ['agent:palyra', PrincipalKind.AGENT],
  ['worker:w1', PrincipalKind.WORKER],
] as const;
const ROLES = [Role.UNSPECIFIED, Role.OPERATOR, Role.ADMIN, Role.OWNER];

interface Asking {
  readonly principal: string;
  readonly kind: PrincipalKind;
  readonly role: Role;
  readonly scopes: readonly Permission[];
  readonly permission: Permission | undefined;
}

function isAllowed(loaded: LoadedSet, asking: Asking): boolean {
  const { principal, kind, role, scopes, permission } = asking;
  const member = { userId: 'ada', name: 'ada', role };
  const caller = { principal, kind, permissions: new Set(scopes), member };
  const request = requestForPermission({ caller, permission, channel: 'cli', now: new Date(0) });
  if (isProblem(request)) throw new Error(request.problem);
  return decide(loaded, request).kind === DecisionKind.ALLOW;
}

/** What the table in the kernel says, which `demand` has asked before the rules are. */
function tableSays({ kind, role, scopes, permission }: Asking): boolean {
  if (permission === undefined) return true;
  const isHeld = permissionsOf(role).has(permission);
  if (kind === PrincipalKind.USER) return isHeld;
  const isInScope = scopes.includes(permission) && !isForPeopleOnly(permission);
  return kind === PrincipalKind.TOKEN && isHeld && isInScope;
}

function everyQuestion(): readonly Asking[] {
  const permissions = [...PERMISSIONS.keys()];
  return PRINCIPALS.flatMap(([principal, kind]) =>
    ROLES.flatMap((role) =>
      [undefined, ...permissions].flatMap((permission) => {
        const own = permissions.filter((each) => each === permission);
        const others = permissions.filter((each) => each !== permission);
        const scoped = kind === PrincipalKind.TOKEN ? [own, others] : [own];
        return scoped.map((scopes) => ({ principal, kind, role, scopes, permission }));
      }),
    ),
  );
}

describe('what the gateway is asked', () => {
  it.each(['ask', 'auto', 'read-only', 'closed'] as const)(
    'is permitted exactly as the table of permissions says, in the mode %s',
    async (mode) => {
      const loaded = await loadedBaseline(mode);
      const differences = everyQuestion()
        .filter((asking) => isAllowed(loaded, asking) !== tableSays(asking))
        .map(
          ({ principal, role, permission = Permission.UNSPECIFIED }) =>
            `${principal} with role ${role}: ${permissionWord(permission)}`,
        );
      expect(differences).toEqual([]);
    },
  );
});
