import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type PairingWish,
  type PalyraClient,
  type TlsGateway,
  createClient,
  grpcOverTls,
  httpOverTls,
  pairWith,
  toTlsGateway,
} from '@palyra/client';
import { DeviceKind } from '@palyra/protocol';
import type { TestGateway } from './test-gateway.ts';

export interface DeviceClients {
  readonly grpc: PalyraClient;
  readonly http: PalyraClient;
}

/** A client for each wire that the device port speaks. */
export function deviceClients(device: TlsGateway): DeviceClients {
  return { grpc: createClient(grpcOverTls(device)), http: createClient(httpOverTls(device)) };
}

export interface PairedDevice extends TlsGateway {
  readonly deviceId: string;
}

export interface DevicePairing extends Pick<PairingWish, 'secret' | 'name' | 'kind' | 'onWaiting'> {
  readonly address: string;
}

/** A new device that pairs with whichever secret it was given. */
export async function pairDevice(
  { home }: Pick<TestGateway, 'home'>,
  pairing: DevicePairing,
): Promise<PairedDevice> {
  const { address, ...wish } = pairing;
  const identity = await pairWith({
    ...wish,
    places: home.places,
    gateway: 'test',
    addresses: [address],
    signal: AbortSignal.timeout(60_000),
  });
  return { ...toTlsGateway(identity), deviceId: identity.deviceId };
}

/** A device of the first owner, enrolled as the CLI does on the gateway's own machine. */
export async function pairedDevice(
  test: Pick<TestGateway, 'home' | 'gateway'>,
  address: string,
  name = 'test device',
): Promise<PairedDevice> {
  const known = await test.gateway.identity.authorities.list();
  const authorities = known.map(({ certificate }) => Buffer.from(certificate).toString('base64'));
  const secret = (await readFile(join(test.home.places.doorDir, 'secret'), 'utf8')).trim();
  const local = { kind: 'local', secret, authorities } as const;
  return await pairDevice(test, { address, name, kind: DeviceKind.CLI, secret: local });
}
