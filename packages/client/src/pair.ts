import { PalyraError, type Places } from '@palyra/kernel';
import type { DeviceIdentity } from './device-identity.ts';
import { DeviceStore } from './device-store.ts';
import { type Enrolled, type Enrolment, enrol } from './enrol.ts';

export interface PairingWish extends Omit<Enrolment, 'address'> {
  readonly places: Places;
  /** What the gateway will be called on this device. */
  readonly gateway: string;
  /** `host:port`, tried in this order until one answers. */
  readonly addresses: readonly string[];
}

/** Enrols at a gateway and remembers it. Contract: nothing is kept unless everything is proven. */
export async function pairWith(wish: PairingWish): Promise<DeviceIdentity & PairedKey> {
  const store = new DeviceStore(wish.places.gatewaysDir);
  const { address, enrolled } = await enrolAtFirst(wish);
  const identity = {
    gateway: wish.gateway,
    address,
    deviceId: enrolled.deviceId,
    deviceName: wish.name,
    ...enrolled.credential,
  };
  using _held = await store.lock(wish.signal);
  await store.save(identity);
  return { ...identity, keyFingerprint: enrolled.keyFingerprint };
}

export interface PairedKey {
  readonly keyFingerprint: string;
}

async function enrolAtFirst(
  wish: PairingWish,
): Promise<{ readonly address: string; readonly enrolled: Enrolled }> {
  let unreachable = new PalyraError('INVALID_INPUT', 'there is no address to pair at');
  for (const address of wish.addresses) {
    try {
      return { address, enrolled: await enrol({ ...wish, address }) };
    } catch (reason) {
      const error = PalyraError.from(reason);
      // The gateway may be reachable by another of its addresses; any other answer is its answer.
      if (error.code !== 'DAEMON_UNREACHABLE') throw error;
      unreachable = error;
    }
  }
  throw unreachable;
}
