import { create } from '@bufbuild/protobuf';
import {
  type Pairing,
  PairingSchema,
  PairingSecret,
  PairingState,
  type ProvenDevice,
  Role,
} from '@palyra/protocol';
import { GATEWAY } from '../caller.ts';

/** So long a PIN or token can be used; and so long, after that, a person may take to answer. */
export const PAIRING_MS = 5 * 60_000;
/** So long a device may take between its first message and its second. */
export const EXCHANGE_MS = 60_000;
/** With the PIN, of which there are a million. */
const MAX_PIN_TRIES = 5;
/** With 256 bits, which nobody guesses: this bounds the entries that strangers can cause. */
const MAX_TOKEN_TRIES = 20;

const TOO_MANY_TRIES = 'too many tries';
const REPLACED = 'replaced by a newer one';

export interface PairingStart {
  readonly pairingId: string;
  readonly userId: string;
  readonly startedBy: string;
}

export function started(start: PairingStart, now: Date): Pairing {
  return create(PairingSchema, {
    ...start,
    state: PairingState.PENDING,
    startedAt: now.toISOString(),
    expiresAt: later(now, PAIRING_MS),
  });
}

/**
 * The two secrets end apart: whoever uses up the PIN cannot keep out the device that has the link.
 * The last try of all gets the time that an exchange needs and no more.
 */
export function tried(pairing: Pairing, secret: PairingSecret, now: Date): Pairing {
  const isPin = secret === PairingSecret.PIN;
  const next = create(PairingSchema, {
    ...pairing,
    tries: pairing.tries + (isPin ? 1 : 0),
    tokenTries: pairing.tokenTries + (isPin ? 0 : 1),
  });
  const end = later(now, EXCHANGE_MS);
  if (!hasTriesLeft(next, PairingSecret.PIN)) next.reason = TOO_MANY_TRIES;
  if (next.reason !== '' && !hasTriesLeft(next, PairingSecret.TOKEN) && end < next.expiresAt) {
    next.expiresAt = end;
  }
  return next;
}

export function hasTriesLeft({ tries, tokenTries }: Pairing, secret: PairingSecret): boolean {
  return secret === PairingSecret.PIN ? tries < MAX_PIN_TRIES : tokenTries < MAX_TOKEN_TRIES;
}

/** From here on the secret is used up; the person who answers gets time of their own. */
export function proven(pairing: Pairing, device: ProvenDevice, now: Date): Pairing {
  return create(PairingSchema, {
    ...pairing,
    proven: device,
    reason: '',
    expiresAt: later(now, PAIRING_MS),
  });
}

export interface Answer {
  readonly state: (typeof PairingState)['APPROVED' | 'REJECTED'];
  readonly answeredBy: string;
  /** Of whoever answers, now: more than that nobody can give away. */
  readonly roleLimit: Role;
  readonly answeredThrough: readonly string[];
}

export function answered(pairing: Pairing, answer: Answer, now: Date): Pairing {
  const answeredThrough = [...answer.answeredThrough];
  const answeredAt = now.toISOString();
  return create(PairingSchema, { ...pairing, ...answer, answeredThrough, answeredAt });
}

export function completed(pairing: Pairing, deviceId: string): Pairing {
  return create(PairingSchema, { ...pairing, state: PairingState.COMPLETED, deviceId });
}

export function expired(pairing: Pairing, reason: string): Pairing {
  return create(PairingSchema, { ...pairing, state: PairingState.EXPIRED, reason });
}

export function replaced(pairing: Pairing): Pairing {
  return expired(pairing, REPLACED);
}

export function awaitsDevice({ state, proven: device }: Pairing): boolean {
  return state === PairingState.PENDING && device === undefined;
}

export function hasEnded({ state }: Pairing): boolean {
  return state !== PairingState.PENDING && state !== PairingState.APPROVED;
}

export function isDue(pairing: Pairing, now: Date): boolean {
  return !hasEnded(pairing) && pairing.expiresAt <= now.toISOString();
}

/** Every state of a device that needs nobody's answer, since it read the secret of this machine. */
export function localSteps(
  start: Omit<PairingStart, 'startedBy'>,
  device: ProvenDevice,
  { now, deviceId }: { readonly now: Date; readonly deviceId: string },
): LocalSteps {
  const first = started({ ...start, startedBy: GATEWAY }, now);
  const second = tried(first, device.secret, now);
  const third = proven(second, device, now);
  const answer = {
    state: PairingState.APPROVED,
    answeredBy: GATEWAY,
    roleLimit: Role.OWNER,
    answeredThrough: [],
  } as const;
  const fourth = answered(third, answer, now);
  return {
    steps: [
      ['pairing.started', first],
      ['pairing.tried', second],
      ['pairing.proven', third],
      ['pairing.approved', fourth],
    ],
    last: completed(fourth, deviceId),
  };
}

export type PairingKind =
  | 'pairing.started'
  | 'pairing.tried'
  | 'pairing.proven'
  | 'pairing.approved'
  | 'pairing.rejected'
  | 'pairing.expired'
  | 'pairing.completed';

export interface LocalSteps {
  readonly steps: readonly (readonly [PairingKind, Pairing])[];
  readonly last: Pairing;
}

function later(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}
