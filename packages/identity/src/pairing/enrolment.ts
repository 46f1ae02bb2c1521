import { create } from '@bufbuild/protobuf';
import type { Agreement } from '@palyra/pake';
import {
  type Device,
  DeviceSchema,
  DeviceState,
  type FinishPairingResponse,
  FinishPairingResponseSchema,
  type Pairing,
  PairingState,
  type ProvenDevice,
  Role,
} from '@palyra/protocol';
import type { IssuedDevice } from '../authority/issue.ts';
import { GATEWAY } from '../caller.ts';
import { retryOnConflict } from '@palyra/records';
import { type Exchange, provenDevice } from './exchange.ts';
import { type PairingBook, entryOf } from './pairing-book.ts';
import { completed, localSteps } from './pairing-state.ts';
import type { PairingParts } from './parts.ts';
import { ended } from './refusals.ts';

/** A device that has proven itself, on its way to a certificate. */
export interface Candidate {
  readonly exchange: Exchange;
  readonly agreement: Agreement;
}

/** Issues certificates to devices that were confirmed, and makes them known in the same change. */
export class Enrolment {
  readonly #parts: PairingParts;
  readonly #book: PairingBook;

  constructor(parts: PairingParts, book: PairingBook) {
    this.#parts = parts;
    this.#book = book;
  }

  /** Contract: PAIRING_ENDED unless the pairing is approved, and nobody else completes it first. */
  async complete(candidate: Candidate, pairingId: string): Promise<FinishPairingResponse> {
    const { deviceId, issued } = await this.#issue(candidate);
    await retryOnConflict(async () => {
      const kept = await this.#book.get(pairingId);
      const proven = kept?.pairing.proven;
      if (kept?.pairing.state !== PairingState.APPROVED || proven === undefined) throw ended();
      const { userId, answeredBy, roleLimit, answeredThrough: madeThrough } = kept.pairing;
      const by = { pairedBy: answeredBy, roleLimit, madeThrough };
      const facts = { deviceId, userId, isLocal: false, ...by };
      const device = this.#deviceOf(proven, issued, facts);
      const known = await this.#parts.devices.pairedWrites(device, answeredBy);
      const pairing = completed(kept.pairing, deviceId);
      await this.#book.move(kept, { kind: 'pairing.completed', actor: GATEWAY, pairing }, known);
    });
    return this.#tell(candidate, deviceId, issued);
  }

  /** For a device of this machine: no pairing was open, so one is entered as begun and ended at once. */
  async completeLocal(candidate: Candidate): Promise<FinishPairingResponse> {
    const { deviceId, issued } = await this.#issue(candidate);
    const { userId } = await this.#parts.members.earliestOwner();
    const proven = provenDevice(candidate.exchange, candidate.agreement.transcriptHash);
    const by = { pairedBy: GATEWAY, roleLimit: Role.OWNER, madeThrough: [] };
    const facts = { deviceId, userId, isLocal: true, ...by };
    const device = this.#deviceOf(proven, issued, facts);
    await this.#enterLocal(device, proven);
    return this.#tell(candidate, deviceId, issued);
  }

  #enterLocal(device: Device, proven: ProvenDevice): Promise<Pairing> {
    const { records, ids, clock, devices } = this.#parts;
    const { userId, deviceId } = device;
    return retryOnConflict(async () => {
      const start = { pairingId: ids.next<'pairing'>(), userId };
      const { steps, last } = localSteps(start, proven, { now: clock.now(), deviceId });
      const known = await devices.pairedWrites(device, GATEWAY);
      const told = steps.map(([kind, pairing]) => entryOf({ kind, actor: GATEWAY, pairing }));
      const end = entryOf({ kind: 'pairing.completed', actor: GATEWAY, pairing: last });
      const added = this.#book.addition(last, NO_VERIFIERS, await this.#book.all());
      await records.transact({
        writes: [...added, ...known.writes],
        entries: [...told, ...known.entries, end],
      });
      return last;
    });
  }

  async #issue({ exchange }: Candidate): Promise<Issue> {
    const { ids, authorities } = this.#parts;
    const deviceId = ids.next<'device'>();
    const { request } = exchange.order;
    return { deviceId, issued: await authorities.issueDevice({ deviceId, request }) };
  }

  #deviceOf(proven: ProvenDevice, issued: IssuedDevice, facts: DeviceFacts): Device {
    const { fingerprint, authorityId, notBefore, notAfter } = issued;
    return create(DeviceSchema, {
      ...facts,
      name: proven.name,
      kind: proven.kind,
      address: proven.address,
      state: DeviceState.ACTIVE,
      pairedAt: this.#parts.clock.now().toISOString(),
      certificates: [{ fingerprint, authorityId, notBefore, notAfter }],
    });
  }

  async #tell(
    { agreement }: Candidate,
    deviceId: string,
    { certificate }: IssuedDevice,
  ): Promise<FinishPairingResponse> {
    const { issuedProof } = await import('@palyra/pake');
    const authorities = [...(await this.#parts.authorities.accepted())];
    const proof = issuedProof(agreement.sharedKey, { deviceId, certificate, authorities });
    const value = { deviceId, certificate, authorities, proof };
    return create(FinishPairingResponseSchema, { event: { case: 'issued', value } });
  }
}

interface Issue {
  readonly deviceId: string;
  readonly issued: IssuedDevice;
}

type DeviceFacts = Pick<
  Device,
  'deviceId' | 'userId' | 'pairedBy' | 'isLocal' | 'roleLimit' | 'madeThrough'
>;

const NO_VERIFIERS = { pinVerifier: new Uint8Array(0), tokenVerifier: new Uint8Array(0) };
