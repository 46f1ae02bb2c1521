import { permissionsOf } from '@palyra/kernel';
import {
  type Device,
  DeviceKind,
  type Member,
  type Permission,
  PrincipalKind,
  Role,
  type Token,
} from '@palyra/protocol';
import type { Caller, CallerMember, Channel } from '../caller.ts';
import { lesserRole } from '../registry/standing.ts';
import { effectivePermissions } from '../registry/token-terms.ts';

const NOTHING: ReadonlySet<Permission> = new Set();

const FOR_THEIR_MEMBER: readonly DeviceKind[] = [
  DeviceKind.CLI,
  DeviceKind.DESKTOP,
  DeviceKind.CONSOLE,
];

const CHANNELS: ReadonlyMap<DeviceKind, Channel> = new Map([
  [DeviceKind.CLI, 'cli'],
  [DeviceKind.DESKTOP, 'desktop'],
  [DeviceKind.CONSOLE, 'console'],
]);

/** Some devices act for their member; the others for nobody, and may do nothing by themselves. */
export function deviceCaller(device: Device, member: Member): Caller {
  const { deviceId, kind } = device;
  if (FOR_THEIR_MEMBER.includes(kind)) {
    const caller = userCaller(member, device, `device:${deviceId}`);
    return { ...caller, deviceId, channel: CHANNELS.get(kind) ?? 'worker' };
  }
  const isWorker = kind === DeviceKind.WORKER;
  const principal = isWorker ? `worker:${deviceId}` : `device:${deviceId}`;
  return {
    principal,
    actor: principal,
    kind: isWorker ? PrincipalKind.WORKER : PrincipalKind.DEVICE,
    permissions: NOTHING,
    deviceId,
    channel: CHANNELS.get(kind) ?? 'worker',
  };
}

/** A person in the console, with what their role gives them now through the device of its link. */
export function consoleCaller(device: Device, member: Member, sessionId: string): Caller {
  return { ...userCaller(member, device, `console:${sessionId}`), channel: 'console' };
}

export function tokenCaller(token: Token, member: Member): Caller {
  const principal = tokenPrincipal(token);
  return {
    principal,
    actor: principal,
    kind: PrincipalKind.TOKEN,
    permissions: effectivePermissions(token, member),
    member: callerMember(member, member.role),
    channel: 'api',
  };
}

export function tokenPrincipal({ tokenId }: Token): string {
  return `token:${tokenId}`;
}

/** INVARIANT: nobody is more through a device than whoever confirmed it was at that moment. */
function userCaller(member: Member, device: Device, via: string): Omit<Caller, 'channel'> {
  const role = roleThrough(device, member);
  const principal = `user:${member.userId}`;
  return {
    principal,
    actor: `${principal} via ${via}`,
    kind: PrincipalKind.USER,
    permissions: permissionsOf(role),
    member: callerMember(member, role),
    through: [...device.madeThrough, device.deviceId],
  };
}

/** What a member is through a device. */
export function roleThrough(device: Device, member: Member): Role {
  return lesserRole(member.role, roleLimitOf(device));
}

/** A record that tells no limit was not confirmed by anybody whose role is known. */
function roleLimitOf({ roleLimit }: Device): Role {
  return roleLimit === Role.UNSPECIFIED ? Role.OPERATOR : roleLimit;
}

function callerMember({ userId, name }: Member, role: Role): CallerMember {
  return { userId, name, role };
}
