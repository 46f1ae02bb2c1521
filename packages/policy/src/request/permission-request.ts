import { permissionWord, quote } from '@palyra/kernel';
import { type Permission, PrincipalKind, Role } from '@palyra/protocol';
import type { PolicyEntity } from '../model.ts';
import { type Matter, matterEntity, matterPermission } from './matter.ts';
import { type Who, principalFacts } from './principal.ts';
import { type Asked, isProblem } from './problem.ts';
import { timeFacts } from './time.ts';
import { reference } from './words.ts';

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
}

export interface MatterAsked extends Omit<PermissionAsked, 'permission'> {
  readonly matter: Matter;
}

export function requestForPermission({ permission, ...asked }: PermissionAsked): Asked {
  const word = permission === undefined ? 'status.read' : permissionWord(permission);
  return requestFor(asked, { action: word, permission: word, about: GATEWAY });
}

export function requestForMatter({ matter, ...asked }: MatterAsked): Asked {
  const { action } = matter;
  const permission = matterPermission(action);
  if (permission === undefined) return { problem: `nothing is known as ${quote(action)}` };
  const about = matterEntity(matter);
  return requestFor(asked, { action, permission: permissionWord(permission), about });
}

/** The same for everybody, so no rule is told anything of it. */
const GATEWAY: PolicyEntity = { uid: reference('Gateway', 'gateway'), attrs: {}, parents: [] };

interface Subject {
  readonly action: string;
  /** The word of the one that the call needs. */
  readonly permission: string;
  readonly about: PolicyEntity;
}

function requestFor(
  { caller, channel, now }: Omit<PermissionAsked, 'permission'>,
  { action, permission, about }: Subject,
): Asked {
  const who = principalFacts(whoOf(caller));
  if (isProblem(who)) return who;
  return {
    principal: who.principal,
    action,
    resource: about.uid,
    context: {
      channel: reference('Channel', channel),
      device: caller.deviceId ?? '',
      permission,
      time: timeFacts(now),
    },
    entities: about === GATEWAY ? [...who.entities] : [...who.entities, about],
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
