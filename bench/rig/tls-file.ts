import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { openGateway, toTlsGateway, type TlsGateway } from '@palyra/client';
import { pairedDevice, testGateway, testTransportParts } from '@palyra/testkit';
import { openDoors } from '@palyra/transport';
import type { Home } from './home.ts';

const SERVER_FILE = 'tls.json';

/** What a baseline needs to speak mutual TLS as palyrad does, and a client that it accepts. */
export interface BareTls {
  readonly file: string;
  /** Contract: the address is the caller's to fill in. */
  readonly client: Omit<TlsGateway, 'address'>;
}

/** Certificates of the same kind as the daemon's: made by the same authority code. */
export async function makeBareTls(home: Home): Promise<BareTls> {
  await using test = await testGateway();
  await using doors = await openDoors(testTransportParts(test.gateway));
  const {
    deviceId: _deviceId,
    address: _address,
    ...client
  } = await pairedDevice(test, doors.device);
  const [server] = await test.gateway.identity.authorities.serverCredentials();
  const file = join(home.path, SERVER_FILE);
  const tls = { key: server?.keyPem, cert: server?.certificatePem, ca: server?.authorityPem };
  await writeFile(file, JSON.stringify(tls), { mode: 0o600 });
  return { file, client };
}

export function readTlsFile(file: string): TlsOptions {
  const { key, cert, ca } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    key,
    cert,
    ca,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.3',
  };
}

/** A device of the daemon in this home, enrolled as the command line does. */
export async function enrolAt(home: Home): Promise<TlsGateway> {
  const { identity } = await openGateway({ places: home.places, deviceName: 'bench' });
  return toTlsGateway(identity);
}
