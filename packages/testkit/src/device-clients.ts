import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
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

/** A device of the first owner, enrolled as the CLI does on the gateway's own machine. */
export async function pairedDevice(
  { home, gateway }: Pick<TestGateway, 'home' | 'gateway'>,
  address: string,
  name = 'test device',
): Promise<PairedDevice> {
  const known = await gateway.identity.authorities.list();
  const authorities = known.map(({ certificate }) => Buffer.from(certificate).toString('base64'));
  const secret = (await readFile(join(home.places.doorDir, 'secret'), 'utf8')).trim();
  const identity = await pairWith({
    places: home.places,
    gateway: 'test',
    addresses: [address],
    secret: { kind: 'local', secret, authorities },
    name,
    kind: DeviceKind.CLI,
    signal: AbortSignal.timeout(60_000),
  });
  return { ...toTlsGateway(identity), deviceId: identity.deviceId };
}
