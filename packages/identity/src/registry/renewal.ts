import { create } from '@bufbuild/protobuf';
import { type Bytes, type Clock, PalyraError, quote } from '@palyra/kernel';
import {
  type Device,
  type DeviceCertificate,
  DeviceCertificateSchema,
  DeviceSchema,
  DeviceState,
} from '@palyra/protocol';
import type { Authorities, IssuedDevice } from '../authority/authorities.ts';
import type { Caller } from '../caller.ts';
import { type RecordsPort, retryOnConflict } from '@palyra/records';
import { deviceEntry } from './notes.ts';
import { RenewalLimits } from './renewal-limits.ts';
import type { Tables } from './tables.ts';

export interface RenewalParts {
  readonly records: RecordsPort;
  readonly tables: Tables;
  readonly clock: Clock;
  readonly authorities: Pick<Authorities, 'accepted' | 'issueDevice' | 'readRequest'>;
}

export interface IssuedCertificate {
  readonly certificate: Bytes;
  readonly authorities: readonly Bytes[];
}

/** A new certificate for a device that has proven the key of its present one. */
export class Renewal {
  readonly #parts: RenewalParts;
  readonly #limits: RenewalLimits;

  constructor(parts: RenewalParts) {
    this.#parts = parts;
    this.#limits = new RenewalLimits(parts.clock);
  }

  async renew(certificateRequest: Bytes, caller: Caller): Promise<IssuedCertificate> {
    const { deviceId, certificateFingerprint: shown } = caller;
    if (deviceId === undefined || shown === undefined) {
      throw new PalyraError('UNAUTHENTICATED', 'only a device can renew its certificate');
    }
    const { authorities } = this.#parts;
    const request = await authorities.readRequest(certificateRequest);
    this.#limits.take(deviceId);
    const issued = await authorities.issueDevice({ deviceId, request });
    // Until it is written down nobody accepts it, so one for a device revoked meanwhile is void.
    await retryOnConflict(() => this.#keep(issued, { deviceId, shown, actor: caller.actor }));
    return { certificate: issued.certificate, authorities: await authorities.accepted() };
  }

  async #keep(issued: IssuedDevice, { deviceId, shown, actor }: Renewer): Promise<void> {
    const { records, tables } = this.#parts;
    const row = await tables.devices.get(deviceId);
    if (row?.value.state !== DeviceState.ACTIVE) throw revoked(deviceId);
    const { fingerprint, authorityId, notBefore, notAfter } = issued;
    const newest = create(DeviceCertificateSchema, {
      fingerprint,
      authorityId,
      notBefore,
      notAfter,
    });
    const certificates = [shownOf(row.value, shown), newest];
    const renewed = create(DeviceSchema, { ...row.value, certificates });
    await records.transact({
      writes: [tables.devices.put(deviceId, renewed, row.version)],
      entries: [deviceEntry('device.renewed', renewed, actor)],
    });
  }
}

interface Renewer {
  readonly deviceId: string;
  /** The fingerprint of the certificate by which they ask. */
  readonly shown: string;
  readonly actor: string;
}

/**
 * What the device has proven that it holds stays beside the newest, however many answers get lost.
 * Contract: DEVICE_REVOKED when another renewal has ended it meanwhile.
 */
function shownOf({ deviceId, certificates }: Device, shown: string): DeviceCertificate {
  const certificate = certificates.find(({ fingerprint }) => fingerprint === shown);
  if (certificate === undefined) throw revoked(deviceId);
  return certificate;
}

function revoked(deviceId: string): PalyraError {
  return new PalyraError(
    'DEVICE_REVOKED',
    `device ${quote(deviceId)} was revoked or its certificate replaced`,
  );
}
