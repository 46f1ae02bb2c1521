import { type Clock, PalyraError, type Places } from '@palyra/kernel';
import { DeviceKind } from '@palyra/protocol';
import { type DeviceIdentity, LOCAL } from './device-identity.ts';
import { toPem } from './device-key.ts';
import { DeviceStore, type Kept } from './device-store.ts';
import { type Door, readDoor, readDoorSecret } from './door.ts';
import { enrol } from './enrol.ts';
import { isExpired } from './renew.ts';

/** Somebody else may use the secret between our reading it and our using it; not for ever, though. */
const MAX_TRIES = 3;

export interface LocalDevice {
  readonly places: Places;
  /** What this device is called at the gateway. */
  readonly deviceName: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What was known was damaged, and now lies here. */
  readonly onSetAside?: ((path: string) => void) | undefined;
}

/** Who this user is to the gateway on this machine; enrols without questions where nobody yet. */
export async function localIdentity(device: LocalDevice): Promise<DeviceIdentity> {
  const { places, clock } = device;
  const store = new DeviceStore(places.gatewaysDir);
  const door = await readDoor(places.doorDir);
  if (door !== undefined) {
    const found = usable(store.look(LOCAL), door, clock.now());
    return found ?? (await enrolLocally(device, 'unless-usable'));
  }
  const stored = await store.load(LOCAL);
  if (stored !== undefined && !isExpired(stored, clock.now())) return stored;
  throw noDaemon();
}

/** Contract: with `anew` also a device that was revoked becomes a new one. */
export async function enrolLocally(
  device: LocalDevice,
  how: 'unless-usable' | 'anew',
): Promise<DeviceIdentity> {
  const { places, clock, signal } = device;
  const store = new DeviceStore(places.gatewaysDir);
  using _held = await store.lock(signal);
  for (let tries = 1; ; tries += 1) {
    const [door, secret] = await Promise.all([
      readDoor(places.doorDir),
      readDoorSecret(places.doorDir),
    ]);
    if (door === undefined || secret === undefined) throw noDaemon();
    const kept: Kept = how === 'anew' ? { at: 'none' } : store.look(LOCAL);
    const found = usable(kept, door, clock.now());
    if (found !== undefined) return found;
    try {
      const identity = await enrolAt(device, door, secret);
      if (kept.at === 'damaged') device.onSetAside?.(store.setAside(LOCAL));
      await store.save(identity);
      return identity;
    } catch (reason) {
      if (tries >= MAX_TRIES || !isUsedUp(reason)) throw reason;
    }
  }
}

async function enrolAt(device: LocalDevice, door: Door, secret: string): Promise<DeviceIdentity> {
  const { address, authorities } = door;
  const { deviceId, credential } = await enrol({
    address,
    secret: { kind: 'local', secret, authorities },
    name: device.deviceName,
    kind: DeviceKind.CLI,
    signal: device.signal,
  });
  return { gateway: LOCAL, address, deviceId, deviceName: device.deviceName, ...credential };
}

/** Contract: `undefined` for one that has expired, or that a gateway set up since then never knew. */
function usable(kept: Kept, door: Door, now: Date): DeviceIdentity | undefined {
  if (kept.at !== 'whole' || isExpired(kept.identity, now)) return undefined;
  const present = door.authorities.map((text) => toPem('CERTIFICATE', Buffer.from(text, 'base64')));
  const isKnown = kept.identity.authorities.some((pem) => present.includes(pem));
  return isKnown ? { ...kept.identity, address: door.address } : undefined;
}

/** The secret that we read was another one's by the time we used it. */
function isUsedUp(reason: unknown): boolean {
  const code = reason instanceof PalyraError ? reason.code : '';
  return code === 'PAIRING_ENDED' || code === 'PAIRING_REFUSED';
}

function noDaemon(): PalyraError {
  return new PalyraError('DAEMON_UNREACHABLE', 'no gateway runs here');
}
