import {
  type Device,
  DeviceKind,
  DeviceState,
  type Pairing,
  type ProvenDevice,
  Role,
} from '@palyra/protocol';
import type { People } from '../people.ts';
import type { Terminal } from '../terminal.ts';
import { type Field, printFields, printTable } from './layout.ts';
import {
  deviceKindWord,
  deviceStateWord,
  inline,
  pairingSecretWord,
  pairingStateWord,
  roleWord,
  shortTime,
  spacedFingerprint,
} from './words.ts';

export function printDevices(terminal: Terminal, devices: readonly Device[], people: People): void {
  const heading = ['device', 'name', 'kind', 'member', 'state', 'paired (UTC)', 'from'];
  const rows = devices.map((device) => [
    inline(device.deviceId),
    inline(device.name),
    deviceKindWord(device.kind),
    memberWords(device, people),
    deviceStateWord(device.state),
    shortTime(device.pairedAt).slice(0, -3),
    fromWords(device),
  ]);
  printTable(terminal, heading, rows);
}

export function printDevice(terminal: Terminal, device: Device, people: People): void {
  const newest = device.certificates.at(-1);
  printFields(terminal, [
    ['device', inline(device.deviceId)],
    ['name', inline(device.name)],
    ['kind', deviceKindWord(device.kind)],
    ['state', deviceStateWord(device.state)],
    ['member', memberWords(device, people)],
    ['paired', `${shortTime(device.pairedAt)} UTC by ${people.wordsOf(device.pairedBy)}`],
    ['from', fromWords(device)],
    ...(newest === undefined
      ? []
      : [
          ['certificate', `until ${shortTime(newest.notAfter)} UTC`] as const,
          ['fingerprint', spacedFingerprint(newest.fingerprint)] as const,
          ['authority', inline(newest.authorityId)] as const,
        ]),
    ...revokedFields(device, people),
  ]);
}

function revokedFields({ state, revokedAt, revokedBy }: Device, people: People): readonly Field[] {
  if (state !== DeviceState.REVOKED) return [];
  return [['revoked', `${shortTime(revokedAt)} UTC by ${people.wordsOf(revokedBy)}`]];
}

/** Whose it is, and where it may do less than they may: at most as what. */
function memberWords({ userId, kind, roleLimit }: Device, people: People): string {
  const limit = roleLimit === Role.UNSPECIFIED ? Role.OPERATOR : roleLimit;
  const isLess = actsForMember(kind) && limit < people.roleOf(userId);
  return `${people.nameOf(userId)}${isLess ? ` (at most ${roleWord(limit)})` : ''}`;
}

/** The others are known by their owner, and have no permission. */
function actsForMember(kind: DeviceKind): boolean {
  return kind === DeviceKind.CLI || kind === DeviceKind.DESKTOP || kind === DeviceKind.CONSOLE;
}

function fromWords({ isLocal, address }: Device): string {
  return isLocal ? 'this machine' : inline(address);
}

export function printPairings(
  terminal: Terminal,
  pairings: readonly Pairing[],
  people: People,
): void {
  const heading = ['pairing', 'state', 'expires (UTC)', 'member', 'tries', 'device'];
  const rows = pairings.map(({ pairingId, state, expiresAt, userId, tries, proven }) => [
    inline(pairingId),
    pairingStateWord(state),
    shortTime(expiresAt),
    people.nameOf(userId),
    String(tries),
    proven === undefined ? 'none yet' : `${inline(proven.name)} (${deviceKindWord(proven.kind)})`,
  ]);
  printTable(terminal, heading, rows);
}

/** For whom a device will act, and with which role: no higher than that of whoever lets it in. */
export interface ActsFor {
  readonly name: string;
  /** UNSPECIFIED where it is not known. */
  readonly role: Role;
}

/** What a person has to look at before they say yes. */
export function provenFields(proven: ProvenDevice, { name, role }: ActsFor): readonly Field[] {
  return [
    ['name', inline(proven.name)],
    ['kind', deviceKindWord(proven.kind)],
    ['address', inline(proven.address)],
    ['fingerprint', spacedFingerprint(proven.keyFingerprint)],
    ['proven by', pairingSecretWord(proven.secret)],
    actsForMember(proven.kind)
      ? ['acts for', `${name}${role === Role.UNSPECIFIED ? '' : `, as ${roleWord(role)}`}`]
      : ['member', `${name}, whose rights it does not get`],
  ];
}
