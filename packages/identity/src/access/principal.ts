import { permissionsOf } from '@palyra/kernel';
import {
  type Device,
  DeviceKind,
  type Member,
  type Permission,
  PrincipalKind,
  type Token,
} from '@palyra/protocol';
import type { Caller, CallerMember } from '../caller.ts';
import { effectivePermissions } from '../registry/token-terms.ts';

const NOTHING: ReadonlySet<Permission> = new Set();

const FOR_THEIR_MEMBER: readonly DeviceKind[] = [
  DeviceKind.CLI,
  DeviceKind.DESKTOP,
  DeviceKind.CONSOLE,
];

/** Some devices act for their member; the others for nobody, and may do nothing by themselves. */
export function deviceCaller(device: Device, member: Member): Caller {
  const { deviceId, kind } = device;
  if (FOR_THEIR_MEMBER.includes(kind)) return { ...userCaller(member), deviceId };
  const isWorker = kind === DeviceKind.WORKER;
  return {
    principal: isWorker ? `worker:${deviceId}` : `device:${deviceId}`,
    kind: isWorker ? PrincipalKind.WORKER : PrincipalKind.DEVICE,
    permissions: NOTHING,
    deviceId,
  };
}

/** A person, with what their role gives them now. */
export function userCaller(member: Member): Caller {
  return {
    principal: `user:${member.userId}`,
    kind: PrincipalKind.USER,
    permissions: permissionsOf(member.role),
    member: callerMember(member),
  };
}

export function tokenCaller(token: Token, member: Member): Caller {
  return {
    principal: tokenPrincipal(token),
    kind: PrincipalKind.TOKEN,
    permissions: effectivePermissions(token, member),
    member: callerMember(member),
  };
}

export function tokenPrincipal({ tokenId }: Token): string {
  return `token:${tokenId}`;
}

function callerMember({ userId, name, role }: Member): CallerMember {
  return { userId, name, role };
}
