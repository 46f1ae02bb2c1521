import { create } from '@bufbuild/protobuf';
import { type Bytes, PalyraError, quote } from '@palyra/kernel';
import { DeviceCertificateSchema, DeviceSchema, DeviceState } from '@palyra/protocol';
import type { Authorities, IssuedDevice } from '../authority/authorities.ts';
import type { Caller } from '../caller.ts';
import type { RecordsPort } from '../ports.ts';
import { deviceEntry } from './notes.ts';
import { retryOnConflict } from './retry.ts';
import type { Tables } from './tables.ts';

/** The newest and the one before it: an answer that got lost locks nobody out. */
const KEPT_CERTIFICATES = 2;

export interface RenewalParts {
  readonly records: RecordsPort;
  readonly tables: Tables;
  readonly authorities: Pick<Authorities, 'accepted' | 'issueDevice' | 'readRequest'>;
}

export interface IssuedCertificate {
  readonly certificate: Bytes;
  readonly authorities: readonly Bytes[];
}

/** A new certificate for a device that has proven the key of its present one. */
export class Renewal {
  readonly #parts: RenewalParts;

  constructor(parts: RenewalParts) {
    this.#parts = parts;
  }

  async renew(certificateRequest: Bytes, caller: Caller): Promise<IssuedCertificate> {
    const { deviceId, principal } = caller;
    if (deviceId === undefined) {
      throw new PalyraError('UNAUTHENTICATED', 'only a device can renew its certificate');
    }
    const { authorities } = this.#parts;
    const request = await authorities.readRequest(certificateRequest);
    const issued = await authorities.issueDevice({ deviceId, request });
    // Until it is written down nobody accepts it, so one for a device revoked meanwhile is void.
    await retryOnConflict(() => this.#keep(issued, deviceId, principal));
    return { certificate: issued.certificate, authorities: await authorities.accepted() };
  }

  async #keep(issued: IssuedDevice, deviceId: string, actor: string): Promise<void> {
    const { records, tables } = this.#parts;
    const row = await tables.devices.get(deviceId);
    if (row?.value.state !== DeviceState.ACTIVE) {
      throw new PalyraError('DEVICE_REVOKED', `device ${quote(deviceId)} was revoked`);
    }
    const { fingerprint, authorityId, notBefore, notAfter } = issued;
    const newest = create(DeviceCertificateSchema, {
      fingerprint,
      authorityId,
      notBefore,
      notAfter,
    });
    const certificates = [...row.value.certificates, newest].slice(-KEPT_CERTIFICATES);
    const renewed = create(DeviceSchema, { ...row.value, certificates });
    await records.transact({
      writes: [tables.devices.put(deviceId, renewed, row.version)],
      entries: [deviceEntry('device.renewed', renewed, actor)],
    });
  }
}
