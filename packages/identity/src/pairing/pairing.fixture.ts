import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { type Bytes, type Clock, createIds, PalyraError } from '@palyra/kernel';
import { createProver, isIssuedProof, pairingContext, type ProverAgreement } from '@palyra/pake';
import {
  type BeginPairingRequest,
  BeginPairingRequestSchema,
  type BeginPairingResponse,
  DeviceKind,
  FinishPairingRequestSchema,
  type FinishPairingRequest,
  type FinishPairingResponse,
  type PairingIssued,
  PairingSecret,
  PairingState,
} from '@palyra/protocol';
import { FIXED_NOW, quietLog, shippedRules, tempHome, type TempHome } from '@palyra/testkit';
import type { Authorities } from '../authority/authorities.ts';
import { deviceKey, testAuthorities } from '../authority/authority.fixture.ts';
import type { Caller } from '../caller.ts';
import type { RecordsPort } from '@palyra/records';
import { MemoryRecords } from '../records.fixture.ts';
import { Devices } from '../registry/devices.ts';
import { Endings } from '../registry/endings.ts';
import { Members } from '../registry/members.ts';
import { callerFor } from '../registry/registry.fixture.ts';
import { openTables } from '../registry/tables.ts';
import { createPairing, type Pairings } from './pairing.ts';
import type { Stranger } from './parts.ts';

/** Stands still until a test moves it; a sleep is over at the next turn of the event loop. */
export interface SteppedClock extends Clock {
  step(ms: number): void;
}

export function steppedClock(): SteppedClock {
  let nowMs = FIXED_NOW.getTime();
  return {
    now: () => new Date(nowMs),
    sleep: async (_ms, signal) => {
      signal.throwIfAborted();
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      signal.throwIfAborted();
    },
    step: (ms) => {
      nowMs += ms;
    },
  };
}

export interface PairingHouse {
  readonly pairings: Pairings;
  readonly members: Members;
  readonly devices: Devices;
  readonly owner: Caller;
  localSecret(): string;
  caller(name: string, deviceId?: string): Promise<Caller>;
}

export interface HouseParts {
  readonly home: TempHome;
  readonly records: RecordsPort;
  readonly clock: Clock;
  readonly authorities: Pick<Authorities, 'readRequest' | 'issueDevice' | 'accepted'>;
}

/** One gateway's pairing, with the real registry and authority behind it. */
export async function pairingHouse(parts: HouseParts): Promise<PairingHouse> {
  const { records, clock, home } = parts;
  const ids = createIds(clock);
  const tables = openTables(records);
  const endings = new Endings({ records, tables, clock });
  const rules = shippedRules();
  const members = new Members({ records, tables, clock, ids, endings, rules });
  const devices = new Devices({ records, tables, clock, rules });
  await members.addFirstOwner('owner');
  const { places } = home;
  const pairings = createPairing({
    ...parts,
    places,
    ids,
    members,
    devices,
    rules,
    log: quietLog(),
  });
  const caller = async (name: string, deviceId?: string) =>
    callerFor(await members.find(name), deviceId);
  return {
    pairings,
    members,
    devices,
    owner: await caller('owner'),
    localSecret: () => readFileSync(join(places.doorDir, 'secret'), 'utf8'),
    caller,
  };
}

export const FAR: Stranger = {
  address: '192.0.2.7',
  isLoopback: false,
  serverFingerprint: new Uint8Array(32).fill(7),
};
export const NEAR: Stranger = { ...FAR, address: '127.0.0.1', isLoopback: true };

export interface Attempt {
  readonly password: string;
  readonly secret?: PairingSecret;
  readonly pairingId?: string;
  readonly name?: string;
  /** What the device saw; another than the gateway's when somebody stands in between. */
  readonly seenFingerprint?: Bytes;
}

/** A new device: makes the messages that a client makes. */
export interface NewDevice {
  readonly request: BeginPairingRequest;
  /** Contract: `undefined` when the other side does not know the secret. */
  agree(response: BeginPairingResponse): ProverAgreement | undefined;
}

export async function newDevice(certificateRequest: Bytes, attempt: Attempt): Promise<NewDevice> {
  const facts = {
    pairingId: attempt.pairingId ?? '',
    secret: attempt.secret ?? PairingSecret.PIN,
    name: attempt.name ?? 'laptop',
    kind: DeviceKind.CLI,
    certificateRequest,
  };
  const serverFingerprint = attempt.seenFingerprint ?? FAR.serverFingerprint;
  const context = pairingContext({ ...facts, serverFingerprint });
  const prover = await createProver({ password: attempt.password, context });
  return {
    request: create(BeginPairingRequestSchema, { ...facts, share: prover.share }),
    agree: ({ share, confirmation }) => prover.finish(share, confirmation),
  };
}

export interface ProvenDevice {
  readonly agreement: ProverAgreement;
  readonly finish: FinishPairingRequest;
}

/** The first message and its answer. Contract: throws when the two sides do not agree. */
export async function begin(
  { pairings }: PairingHouse,
  device: NewDevice,
  stranger: Stranger = FAR,
): Promise<ProvenDevice> {
  const response = await pairings.begin(device.request, stranger);
  const agreement = device.agree(response);
  if (agreement === undefined) throw new Error('the device does not trust the gateway');
  const { exchangeId } = response;
  const { confirmation } = agreement;
  return { agreement, finish: create(FinishPairingRequestSchema, { exchangeId, confirmation }) };
}

export function follow(
  { pairings }: PairingHouse,
  finish: FinishPairingRequest,
  stranger: Stranger = FAR,
): AsyncIterator<FinishPairingResponse> {
  const never = new AbortController().signal;
  return pairings.finish(finish, stranger, never)[Symbol.asyncIterator]();
}

export async function approve({ pairings, owner }: PairingHouse, pairingId: string): Promise<void> {
  const pairing = (await pairings.list()).find((one) => one.pairingId === pairingId);
  const keyFingerprint = pairing?.proven?.keyFingerprint ?? '';
  await pairings.answer({ pairingId, keyFingerprint, answer: PairingState.APPROVED }, owner);
}

/** Contract: throws unless the event is a certificate that comes from who knows the secret. */
export function issuedOf(
  event: FinishPairingResponse['event'] | undefined,
  { sharedKey }: ProverAgreement,
): PairingIssued {
  if (event?.case !== 'issued') throw new Error('nothing was issued');
  if (!isIssuedProof(sharedKey, event.value, event.value.proof)) throw new Error('no proof');
  return event.value;
}

export function eventOf(
  result: IteratorResult<FinishPairingResponse>,
): FinishPairingResponse['event'] | undefined {
  return result.done === true ? undefined : result.value.event;
}

/** The code with which something is refused. Contract: `undefined` when it is not. */
export function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return PalyraError.from(error).code;
  }
}

/** What every test of pairing shares: an authority, a home, and the request of a device's key. */
export interface Stage extends AsyncDisposable {
  readonly request: Bytes;
  openHouse(records?: RecordsPort): Promise<OpenHouse>;
  /** A pairing that was started, and a device that has its PIN, before its second message. */
  proveWithPin(records?: RecordsPort): Promise<Proof>;
}

export interface OpenHouse {
  readonly clock: SteppedClock;
  readonly house: PairingHouse;
}

export interface Proof extends OpenHouse {
  readonly pin: string;
  readonly pairingId: string;
  readonly device: ProvenDevice;
}

export async function openStage(): Promise<Stage> {
  const home = await tempHome();
  const { authorities } = await testAuthorities(home);
  const { request } = await deviceKey();
  const openHouse = async (records: RecordsPort = new MemoryRecords()) => {
    const clock = steppedClock();
    return { clock, house: await pairingHouse({ home, records, clock, authorities }) };
  };
  const proveWithPin = async (records?: RecordsPort) => {
    const { clock, house } = await openHouse(records);
    const { pairing, pin } = await house.pairings.start('', house.owner);
    const device = await begin(house, await newDevice(request, { password: pin }));
    return { clock, house, pin, pairingId: pairing.pairingId, device };
  };
  return {
    request,
    openHouse,
    proveWithPin,
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

/** A second message of one's own making. */
export function finishOf(
  fields: Pick<FinishPairingRequest, 'exchangeId' | 'confirmation'>,
): FinishPairingRequest {
  return create(FinishPairingRequestSchema, fields);
}
