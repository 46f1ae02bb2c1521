import { once } from 'node:events';
import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import type { ServerCredential } from '@palyra/gateway';
import { systemClock } from '@palyra/kernel';
import { quietLog, testAuthority, testGateway, testTransportParts } from '@palyra/testkit';
import { describe, expect, it, vi } from 'vitest';
import { openDoors } from '../doors.ts';
import { loadCredentials } from './credentials.ts';

async function credentials(count: number): Promise<readonly ServerCredential[]> {
  const now = systemClock().now();
  const made = Array.from({ length: count }, async () => {
    return await (await testAuthority(now)).serverCredential();
  });
  return await Promise.all(made);
}

/** The certificate that is shown to whoever asks for that name. */
async function shown(port: number, servername: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const fingerprint = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
  socket.destroy();
  return fingerprint;
}

const markOf = ({ certificatePem }: ServerCredential) =>
  new X509Certificate(certificatePem).fingerprint256;

describe('the certificates of the device port', () => {
  it('are chosen by the name that is asked for, and swapped while the port is open', async () => {
    const [active, retiring, next] = await credentials(3);
    if (active === undefined || retiring === undefined || next === undefined) throw new Error();
    await using test = await testGateway();
    let given = [active, retiring];
    let revision = 1;
    const { identity } = test.gateway;
    const authorities = { ...identity.authorities, serverCredentials: async () => given };
    const standIn = { ...identity, authorities, revision: () => revision };
    const gateway = { ...test.gateway, identity: standIn };
    await using doors = await openDoors(testTransportParts(gateway));
    const port = Number(doors.device.split(':').at(-1));
    expect(await shown(port, retiring.serverName)).toBe(markOf(retiring));
    expect(await shown(port, 'unknown.example')).toBe(markOf(active));

    given = [next, active];
    revision += 1;
    await vi.waitUntil(async () => (await shown(port, 'unknown.example')) === markOf(next), {
      timeout: 30_000,
    });
    expect(await shown(port, active.serverName)).toBe(markOf(active));
    expect(await shown(port, next.serverName)).toBe(markOf(next));
  });

  it('stay as they are when no others can be had', async () => {
    const [only] = await credentials(1);
    if (only === undefined) throw new Error();
    let isBroken = false;
    const source = async () => {
      if (isBroken) throw new Error('the key is gone');
      return [only];
    };
    const held = await loadCredentials({ serverCredentials: source }, quietLog());
    isBroken = true;
    await expect(held.refresh()).rejects.toThrow('the key is gone');
    expect(held.contextFor(only.serverName)).toBeDefined();
  });

  it('have to be there at all', async () => {
    await expect(
      loadCredentials({ serverCredentials: async () => [] }, quietLog()),
    ).rejects.toMatchObject({ code: 'AUTHORITY_UNUSABLE' });
  });
});
