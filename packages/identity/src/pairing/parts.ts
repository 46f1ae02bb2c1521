import type { Bytes, Clock, Ids, Log, Places } from '@palyra/kernel';
import type { Device, Member } from '@palyra/protocol';
import type { CertificateRequest, DeviceOrder, IssuedDevice } from '../authority/issue.ts';
import type { PeopleRules } from '../people-rules.ts';
import type { RecordsChange, RecordsPort } from '@palyra/records';

/** What pairing needs of the rest of identity. */
export interface PairingParts {
  readonly records: RecordsPort;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly places: Pick<Places, 'doorDir'>;
  readonly log: Log;
  readonly authorities: PairingAuthorities;
  readonly devices: PairingDevices;
  readonly members: PairingMembers;
  readonly rules: PeopleRules;
}

export interface PairingAuthorities {
  /** Contract: INVALID_INPUT for a malformed one. */
  readRequest(der: Uint8Array): Promise<CertificateRequest>;
  issueDevice(order: DeviceOrder): Promise<IssuedDevice>;
  /** DER, the active one first. */
  accepted(): Promise<readonly Bytes[]>;
}

export interface PairingDevices {
  /** For the change that completes a pairing; read anew on CONFLICT. */
  pairedWrites(device: Device, actor: string): Promise<RecordsChange>;
}

export interface PairingMembers {
  get(userId: string): Promise<Member | undefined>;
  /** Contract: NOT_FOUND unless it is the id or the name of a member. */
  find(member: string): Promise<Member>;
  earliestOwner(): Promise<Member>;
}

/** Where a stranger calls from, and which certificate of ours they were shown. */
export interface Stranger {
  readonly address: string;
  readonly isLoopback: boolean;
  /** SHA-256 of the DER form of the certificate that this connection was answered with. */
  readonly serverFingerprint: Bytes;
}
