import { plural } from '@palyra/client';
import type { DeviceIdentity } from '@palyra/client';
import { permissionWord } from '@palyra/kernel';
import { type Authority, type Device, type GetCallerResponse, Role } from '@palyra/protocol';
import type { People } from '../people.ts';
import type { Terminal } from '../terminal.ts';
import { printDevices } from './devices.ts';
import { type Field, printTable } from './layout.ts';
import { authorityStateWord, inline, principalKindWord, roleWord, shortTime } from './words.ts';

export function callerFields(
  caller: GetCallerResponse,
  identity: DeviceIdentity,
): readonly Field[] {
  const role = caller.role === Role.UNSPECIFIED ? 'none' : roleWord(caller.role);
  return [
    ['you are', `${inline(caller.principal)} (${principalKindWord(caller.kind)})`],
    ['name', caller.name === '' ? 'none' : inline(caller.name)],
    ['role', role],
    ['you may', caller.permissions.map(permissionWord).join(' ') || 'nothing'],
    ['gateway', `${inline(identity.gateway)}, ${inline(identity.address)}`],
    ['device', `${inline(identity.deviceName)}, ${inline(identity.deviceId)}`],
    ['certificate', `until ${shortTime(identity.notAfter)} UTC`],
  ];
}

export function printAuthorities(terminal: Terminal, authorities: readonly Authority[]): void {
  const rows = authorities.map(({ authorityId, state, notAfter, retiresAt }) => [
    inline(authorityId),
    authorityStateWord(state),
    shortTime(retiresAt === '' ? notAfter : retiresAt).slice(0, -3),
  ]);
  printTable(terminal, ['authority', 'state', 'until (UTC)'], rows);
}

/** Devices that would be shut out if the old authority ended now. */
export function printNotMoved(
  terminal: Terminal,
  devices: readonly Device[],
  people: People,
): void {
  if (devices.length === 0) {
    terminal.print('\nevery device has moved to the active authority');
    return;
  }
  terminal.print(
    `\n${plural(devices.length, 'device')} not moved yet; each does when it next renews\n`,
  );
  printDevices(terminal, devices, people);
}

/** Devices that were shut out because the old authority has ended. */
export function printShutOut(terminal: Terminal, devices: readonly Device[], people: People): void {
  if (devices.length === 0) return;
  terminal.print(`\n${plural(devices.length, 'device')} had not moved and must pair again\n`);
  printDevices(terminal, devices, people);
}
