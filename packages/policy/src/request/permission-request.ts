import { permissionWord } from '@palyra/kernel';
import { type Permission, PrincipalKind, Role } from '@palyra/protocol';
import { type Who, principalFacts } from './principal.ts';
import { type Asked, isProblem } from './problem.ts';
import { timeFacts } from './time.ts';
import { reference } from './words.ts';
import { type WorkTouched, workEntity } from './work.ts';

export interface PermissionAsked {
  readonly caller: PermissionCaller;
  /** `undefined` for what is open to every caller. */
  readonly permission: Permission | undefined;
  readonly channel: string;
  readonly now: Date;
}

export interface PermissionCaller {
  readonly principal: string;
  readonly kind: PrincipalKind;
  readonly permissions: ReadonlySet<Permission>;
  readonly member?: { readonly userId: string; readonly name: string; readonly role: Role };
  readonly deviceId?: string;
  /** Whose runs and sessions it is about; absent for what is asked of the gateway itself. */
  readonly touches?: WorkTouched;
}

export function requestForPermission({ caller, permission, channel, now }: PermissionAsked): Asked {
  const who = principalFacts(whoOf(caller));
  if (isProblem(who)) return who;
  const word = permission === undefined ? 'status.read' : permissionWord(permission);
  const { touches } = caller;
  const work = touches === undefined ? undefined : workEntity(touches.owner);
  return {
    principal: who.principal,
    action: touches?.action ?? word,
    resource: work?.uid ?? reference('Gateway', 'gateway'),
    context: {
      channel: reference('Channel', channel),
      device: caller.deviceId ?? '',
      permission: word,
      time: timeFacts(now),
    },
    entities: work === undefined ? [...who.entities] : [...who.entities, work],
  };
}

function whoOf({ principal, kind, permissions, member }: PermissionCaller): Who {
  const isToken = kind === PrincipalKind.TOKEN;
  return {
    principal,
    kind,
    member: member === undefined ? '' : `user:${member.userId}`,
    name: member?.name ?? '',
    role: member?.role ?? Role.UNSPECIFIED,
    scopes: isToken ? [...permissions].map(permissionWord) : [],
  };
}
