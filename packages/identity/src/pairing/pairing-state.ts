import { create } from '@bufbuild/protobuf';
import { type Pairing, PairingSchema, PairingState, type ProvenDevice } from '@palyra/protocol';
import { GATEWAY } from '../caller.ts';

/** So long a PIN or token can be used; and so long, after that, a person may take to answer. */
export const PAIRING_MS = 5 * 60_000;
/** So long a device may take between its first message and its second. */
export const EXCHANGE_MS = 60_000;
export const MAX_TRIES = 5;

const TOO_MANY_TRIES = 'too many tries';

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

/** The last try gets the time that an exchange needs and no more: nothing is left to wait for after it. */
export function tried(pairing: Pairing, now: Date): Pairing {
  const tries = pairing.tries + 1;
  const end = later(now, EXCHANGE_MS);
  const isLast = tries >= MAX_TRIES && end < pairing.expiresAt;
  return create(PairingSchema, { ...pairing, tries, ...(isLast ? { expiresAt: end } : {}) });
}

/** From here on the secret is used up; the person who answers gets time of their own. */
export function proven(pairing: Pairing, device: ProvenDevice, now: Date): Pairing {
  return create(PairingSchema, {
    ...pairing,
    proven: device,
    expiresAt: later(now, PAIRING_MS),
  });
}

export interface Answer {
  readonly state: (typeof PairingState)['APPROVED' | 'REJECTED'];
  readonly answeredBy: string;
}

export function answered(pairing: Pairing, answer: Answer, now: Date): Pairing {
  return create(PairingSchema, { ...pairing, ...answer, answeredAt: now.toISOString() });
}

export function completed(pairing: Pairing, deviceId: string): Pairing {
  return create(PairingSchema, { ...pairing, state: PairingState.COMPLETED, deviceId });
}

export function expired(pairing: Pairing, reason: string): Pairing {
  return create(PairingSchema, { ...pairing, state: PairingState.EXPIRED, reason });
}

/** Empty where time alone ended it. */
export function reasonOfExpiry(pairing: Pairing): string {
  return pairing.proven === undefined && pairing.tries >= MAX_TRIES ? TOO_MANY_TRIES : '';
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
  const second = tried(first, now);
  const third = proven(second, device, now);
  const answer = { state: PairingState.APPROVED, answeredBy: GATEWAY } as const;
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
