import { type Clock, PalyraError } from '@palyra/kernel';
import type { PalyraClient } from './client.ts';
import type { DeviceIdentity } from './device-identity.ts';
import { makeDeviceKey } from './device-key.ts';
import type { DeviceStore } from './device-store.ts';
import { acceptIssue } from './issued-certificate.ts';

/** What became of an attempt to renew. A certificate that is still good may stay for now. */
export type Renewal =
  | { readonly at: 'renewed'; readonly identity: DeviceIdentity }
  | { readonly at: 'kept'; readonly identity: DeviceIdentity; readonly reason: PalyraError };

export interface Renewing {
  readonly store: DeviceStore;
  /** Speaks to the gateway as the device that is to be renewed. */
  readonly client: PalyraClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export function isExpired({ notAfter }: DeviceIdentity, now: Date): boolean {
  return Date.parse(notAfter) <= now.getTime();
}

/** A third of its life or less is left. */
export function isRenewalDue({ notBefore, notAfter }: DeviceIdentity, now: Date): boolean {
  const end = Date.parse(notAfter);
  return (end - now.getTime()) * 3 <= end - Date.parse(notBefore);
}

/** Asks for a certificate for a new key. Contract: never throws; the stored pair always fits. */
export async function renew(identity: DeviceIdentity, renewing: Renewing): Promise<Renewal> {
  try {
    return { at: 'renewed', identity: await renewed(identity, renewing) };
  } catch (reason) {
    return { at: 'kept', identity, reason: PalyraError.from(reason) };
  }
}

async function renewed(identity: DeviceIdentity, renewing: Renewing): Promise<DeviceIdentity> {
  const { store, client, clock, signal } = renewing;
  using _held = await store.lock(signal);
  const stored = await store.load(identity.gateway);
  // Another process was faster, or the device was paired anew: its pair is the newer one.
  if (stored !== undefined && !isRenewalDue(stored, clock.now())) return stored;
  const { key, request } = await makeDeviceKey();
  const answer = await client.identity.renewCertificate(
    { certificateRequest: request },
    { signal },
  );
  const { certificate, authorities } = answer;
  const fresh = { ...identity, ...acceptIssue({ certificate, authorities, key }) };
  await store.save(fresh);
  return fresh;
}
