import { X509Certificate } from 'node:crypto';
import { PalyraError, type Places } from '@palyra/kernel';
import type { DeviceIdentity } from './device-identity.ts';
import { DeviceStore, gatewayName } from './device-store.ts';
import { type Enrolled, type Enrolment, enrol } from './enrol.ts';
import { isIssuedBy } from './issued-certificate.ts';

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
  // Before anybody is asked: a certificate that cannot be kept must not be issued.
  gatewayName(wish.gateway);
  const { address, enrolled } = await enrolAtFirst(await sameGatewayOnly(wish, store));
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

/** INVARIANT: a name never comes to mean another gateway; whoever types it relies on that. */
async function sameGatewayOnly(wish: PairingWish, store: DeviceStore): Promise<PairingWish> {
  const stored = await store.load(wish.gateway);
  if (stored === undefined) return wish;
  const known = stored.authorities.map((pem) => new X509Certificate(pem));
  const { authorityId } = stored;
  return {
    ...wish,
    secret: wish.secret.kind === 'pin' ? { ...wish.secret, authorityId } : wish.secret,
    onServer: (server) => {
      if (!known.some((authority) => isIssuedBy(server, authority))) {
        throw nameTaken(wish.gateway, store);
      }
    },
  };
}

function nameTaken(gateway: string, store: DeviceStore): PalyraError {
  return new PalyraError('CONFLICT', `\`${gateway}\` is another gateway to this device`, {
    help: `choose another name with \`--as\`, or move \`${store.pathOf(gateway)}\` away`,
  });
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
