import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { PalyraError } from '@palyra/kernel';
import { pairedDevice, testTransportParts, deviceClients } from '@palyra/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type House, dial, openHouse } from '../../testing/house.ts';
import { openDoors } from '../doors.ts';

let house: House;
let stack: AsyncDisposableStack;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

async function open() {
  const { test } = house;
  const doors = stack.use(await openDoors(testTransportParts(test.gateway)));
  const port = Number(doors.device.split(':').at(-1));
  const admin = { ...house.device, address: doors.device };
  const device = await pairedDevice(test, doors.device, `device ${crypto.randomUUID()}`);
  return { test, port, admin: deviceClients(admin).grpc, device, ...deviceClients(device) };
}

/** The connection that it had may break off first; then the next one tells why. */
async function refusalOf(call: () => Promise<unknown>): Promise<string> {
  for (;;) {
    const outcome = await call().then(
      () => 'answered',
      (reason: unknown) => PalyraError.from(reason).code,
    );
    if (outcome !== 'DAEMON_UNREACHABLE') return outcome;
  }
}

describe('a device that is revoked', () => {
  it('loses its open stream and its connection, and its next request is refused', async () => {
    const { admin, device, port } = await open();
    const socket = await dial({ port, device }, { ALPNProtocols: ['h2'] });
    const session = connectHttp2('https://x', { createConnection: () => socket });
    session.on('error', () => {});
    const stream = session.request({
      ':method': 'POST',
      ':path': '/palyra.v1.JournalService/TailJournal',
      'content-type': 'application/grpc+proto',
    });
    stream.on('error', () => {}).resume();
    stream.end(Buffer.from([0, 0, 0, 0, 2, 0x18, 1]));
    await once(stream, 'response');
    const ends: string[] = [];
    const closed = Promise.all([
      once(stream, 'close').then(() => ends.push('stream')),
      once(socket, 'close').then(() => ends.push('connection')),
    ]);
    await admin.devices.revokeDevice({ device: device.deviceId });
    await closed;
    expect(ends.toSorted()).toEqual(['connection', 'stream']);
  });

  it('is refused over HTTP/1.1 and HTTP/2 from the very next request on', async () => {
    const { admin, device, grpc, http } = await open();
    await grpc.health.getHealth({});
    await http.health.getHealth({});
    await admin.devices.revokeDevice({ device: device.deviceId });
    expect(await refusalOf(() => http.health.getHealth({}))).toBe('DEVICE_REVOKED');
    expect(await refusalOf(() => grpc.health.getHealth({}))).toBe('DEVICE_REVOKED');
  });

  it('leaves the connections of others alone', async () => {
    const { admin, device, grpc } = await open();
    const news = admin.journal.tailJournal({ follow: true })[Symbol.asyncIterator]();
    const watching = news.next();
    const own = grpc.journal.tailJournal({ follow: true })[Symbol.asyncIterator]();
    const lost = own.next().then(async () => {
      for (;;) await own.next();
    });
    // Expected from the first moment: it may end before the answer comes.
    await Promise.all([
      expect(lost).rejects.toMatchObject({ code: expect.any(String) }),
      admin.devices.revokeDevice({ device: device.deviceId }),
    ]);
    expect((await watching).done).toBe(false);
    expect((await admin.health.getHealth({})).activeRuns).toBe(0);
  });
});
