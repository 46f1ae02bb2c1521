import { create } from '@bufbuild/protobuf';
import { type Clock, createIds, type ErrorCode, permissionsOf } from '@palyra/kernel';
import {
  type Device,
  DeviceKind,
  DeviceSchema,
  DeviceState,
  type Member,
  PrincipalKind,
  Role,
} from '@palyra/protocol';
import type { Caller } from '../caller.ts';
import type { RecordsPort } from '@palyra/records';
import { shippedRules } from '@palyra/testkit';
import { MemoryRecords } from '../records.fixture.ts';
import { Devices } from './devices.ts';
import { Endings } from './endings.ts';
import { Members } from './members.ts';
import { openTables } from './tables.ts';
import { Tokens } from './tokens.ts';

export const START = Date.UTC(2030, 0, 2, 3, 4, 5);

/** A registry of its own, and the hands of the clock. */
export function openRegistry() {
  return registryOn(new MemoryRecords());
}

export function registryOn<Records extends RecordsPort>(records: Records) {
  const time = { ms: START };
  const clock: Clock = { now: () => new Date(time.ms), sleep: () => Promise.resolve() };
  const ids = createIds(clock);
  const tables = openTables(records);
  const endings = new Endings({ records, tables, clock });
  const parts = { records, tables, clock, ids, endings, rules: shippedRules() };
  return {
    time,
    ...parts,
    members: new Members(parts),
    devices: new Devices(parts),
    tokens: new Tokens(parts),
  };
}

export type Registry = ReturnType<typeof registryOn<RecordsPort>>;

export function refusal(code: ErrorCode): { readonly code: ErrorCode } {
  return { code };
}

/** The first owner, as a caller. */
export async function ownerOf({ members }: Registry): Promise<Caller> {
  await members.addFirstOwner('ada');
  return callerFor(await members.earliestOwner());
}

export async function callerWith(registry: Registry, role: Role, name: string): Promise<Caller> {
  const owner = callerFor(await registry.members.earliestOwner());
  return callerFor(await registry.members.add(name, role, owner));
}

export function callerFor({ userId, name, role }: Member, deviceId?: string): Caller {
  return {
    principal: `user:${userId}`,
    actor: `user:${userId}${deviceId === undefined ? '' : ` via device:${deviceId}`}`,
    kind: PrincipalKind.USER,
    permissions: permissionsOf(role),
    channel: 'cli',
    member: { userId, name, role },
    ...(deviceId === undefined ? {} : { deviceId, through: [deviceId] }),
  };
}

/** The same rights in the hands of a program. */
export function asToken(caller: Caller): Caller {
  return { ...caller, kind: PrincipalKind.TOKEN, principal: 'token:x', actor: 'token:x' };
}

export async function pairDevice(
  { devices, records, ids }: Registry,
  caller: Caller,
  fields: Partial<
    Pick<Device, 'name' | 'kind' | 'isLocal' | 'certificates' | 'roleLimit' | 'madeThrough'>
  > = {},
): Promise<Device> {
  const device = create(DeviceSchema, {
    deviceId: ids.next<'device'>(),
    name: 'laptop',
    kind: DeviceKind.CLI,
    state: DeviceState.ACTIVE,
    userId: caller.member?.userId ?? '',
    roleLimit: caller.member?.role ?? Role.UNSPECIFIED,
    madeThrough: [...(caller.through ?? [])],
    ...fields,
  });
  await records.transact(await devices.pairedWrites(device, caller.actor));
  return device;
}

/** As long as the public key of a console session; whether it is one is not looked at here. */
export const SESSION_KEY = new Uint8Array(65).fill(4);
