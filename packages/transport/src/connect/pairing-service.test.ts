import { parsePairingLink } from '@palyra/pake';
import { DeviceKind, PairingState } from '@palyra/protocol';
import { pairDevice } from '@palyra/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type House, type Served, openHouse, serve } from '../../testing/house.ts';

let house: House;
let stack: AsyncDisposableStack;
let served: Served;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  served = await serve(house, stack, { names: ['gateway.example'] });
});
afterEach(() => stack.disposeAsync());

async function answer(pairingId: string, keyFingerprint: string, said: PairingState) {
  await served.grpc.pairing.answerPairing({ pairingId, keyFingerprint, answer: said });
}

describe('pairing over the device port', () => {
  it('gives a certificate to a device that knows the PIN, once a person has confirmed it', async () => {
    const { pin } = await served.grpc.pairing.startPairing({});
    const confirmed = Promise.withResolvers<void>();
    const device = await pairDevice(house.test, {
      address: served.doors.device,
      secret: { kind: 'pin', pin },
      name: 'by pin',
      kind: DeviceKind.WORKER,
      onWaiting: ({ pairingId, keyFingerprint }) => {
        confirmed.resolve(answer(pairingId, keyFingerprint, PairingState.APPROVED));
      },
    });
    await confirmed.promise;
    const { device: known } = await served.grpc.devices.getDevice({ device: device.deviceId });
    expect(known).toMatchObject({ name: 'by pin', kind: DeviceKind.WORKER, address: '127.0.0.1' });
  });

  it('lets the operator watch until a person has said no', async () => {
    const { pin, pairing } = await served.grpc.pairing.startPairing({});
    const pairingId = pairing?.pairingId ?? '';
    const watching = Array.fromAsync(
      served.grpc.pairing.watchPairing({ pairingId }),
      ({ pairing: now }) => now?.state,
    );
    const refused = pairDevice(house.test, {
      address: served.doors.device,
      secret: { kind: 'pin', pin },
      name: 'refused',
      kind: DeviceKind.NODE,
      onWaiting: ({ keyFingerprint }) => {
        void answer(pairingId, keyFingerprint, PairingState.REJECTED);
      },
    });
    await expect(refused).rejects.toMatchObject({ code: 'PAIRING_REFUSED' });
    expect((await watching).at(-1)).toBe(PairingState.REJECTED);
    const { devices } = await served.grpc.devices.listDevices({});
    expect(devices.map(({ name }) => name)).not.toContain('refused');
  });

  it('writes a link that leads to the gateway, names its authority and pairs a device', async () => {
    const { link, pairing } = await served.grpc.pairing.startPairing({});
    const { authorities } = await served.grpc.identity.getAuthorities({});
    const said = parsePairingLink(link);
    if (said === undefined) throw new Error('the link cannot be read');
    expect(said).toMatchObject({
      addresses: [`gateway.example:${served.port}`, served.doors.device],
      authorityFingerprint: authorities[0]?.fingerprint,
      pairingId: pairing?.pairingId,
    });
    const { deviceId } = await pairDevice(house.test, {
      address: served.doors.device,
      secret: { kind: 'link', ...said },
      name: 'by link',
      kind: DeviceKind.DESKTOP,
      onWaiting: ({ pairingId, keyFingerprint }) => {
        void answer(pairingId, keyFingerprint, PairingState.APPROVED);
      },
    });
    expect((await served.grpc.devices.getDevice({ device: deviceId })).device?.name).toBe(
      'by link',
    );
  });
});
