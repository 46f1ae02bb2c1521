import { type Device, DeviceState, type Pairing, type ProvenDevice } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { type Field, printFields, printTable } from './layout.ts';
import {
  deviceKindWord,
  deviceStateWord,
  inline,
  pairingSecretWord,
  pairingStateWord,
  shortTime,
  spacedFingerprint,
} from './words.ts';

export function printDevices(terminal: Terminal, devices: readonly Device[]): void {
  const heading = ['device', 'name', 'kind', 'state', 'paired (UTC)', 'from'];
  const rows = devices.map((device) => [
    inline(device.deviceId),
    inline(device.name),
    deviceKindWord(device.kind),
    deviceStateWord(device.state),
    shortTime(device.pairedAt).slice(0, -3),
    fromWords(device),
  ]);
  printTable(terminal, heading, rows);
}

export function printDevice(terminal: Terminal, device: Device): void {
  const newest = device.certificates.at(-1);
  printFields(terminal, [
    ['device', inline(device.deviceId)],
    ['name', inline(device.name)],
    ['kind', deviceKindWord(device.kind)],
    ['state', deviceStateWord(device.state)],
    ['user', inline(device.userId)],
    ['paired', `${shortTime(device.pairedAt)} UTC by ${inline(device.pairedBy)}`],
    ['from', fromWords(device)],
    ...(newest === undefined
      ? []
      : [
          ['certificate', `until ${shortTime(newest.notAfter)} UTC`] as const,
          ['fingerprint', spacedFingerprint(newest.fingerprint)] as const,
          ['authority', inline(newest.authorityId)] as const,
        ]),
    ...revokedFields(device),
  ]);
}

function revokedFields({ state, revokedAt, revokedBy }: Device): readonly Field[] {
  if (state !== DeviceState.REVOKED) return [];
  return [['revoked', `${shortTime(revokedAt)} UTC by ${inline(revokedBy)}`]];
}

function fromWords({ isLocal, address }: Device): string {
  return isLocal ? 'this machine' : inline(address);
}

export function printPairings(terminal: Terminal, pairings: readonly Pairing[]): void {
  const heading = ['pairing', 'state', 'expires (UTC)', 'tries', 'device'];
  const rows = pairings.map(({ pairingId, state, expiresAt, tries, proven }) => [
    inline(pairingId),
    pairingStateWord(state),
    shortTime(expiresAt),
    String(tries),
    proven === undefined ? 'none yet' : `${inline(proven.name)} (${deviceKindWord(proven.kind)})`,
  ]);
  printTable(terminal, heading, rows);
}

/** What a person has to look at before they say yes. */
export function provenFields(proven: ProvenDevice): readonly Field[] {
  return [
    ['name', inline(proven.name)],
    ['kind', deviceKindWord(proven.kind)],
    ['address', inline(proven.address)],
    ['fingerprint', spacedFingerprint(proven.keyFingerprint)],
    ['proven by', pairingSecretWord(proven.secret)],
  ];
}
