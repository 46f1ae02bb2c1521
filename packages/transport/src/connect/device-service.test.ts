import { Permission } from '@palyra/protocol';
import { deviceClients, pairedDevice } from '@palyra/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type House, openHouse } from '../../testing/house.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());

it('revoking a device tells what came of it, and ends that when asked to', async () => {
  const admin = deviceClients(house.device).grpc;
  const stolen = await pairedDevice(house.test, house.device.address, 'stolen');
  const { token } = await deviceClients(stolen).grpc.tokens.createToken({
    label: 'left behind',
    scopes: [Permission.SESSIONS_USE],
  });
  expect(token?.createdBy).toMatch(new RegExp(`^user:\\w+ via device:${stolen.deviceId}$`));

  const device = stolen.deviceId;
  const told = await admin.devices.revokeDevice({ device });
  expect(told).toMatchObject({ device: { deviceId: device }, madeDevices: [] });
  expect(told.madeTokens).toEqual([token?.tokenId]);
  const ended = await admin.devices.revokeDevice({ device, withMade: true });
  expect(ended.madeTokens).toEqual([]);
  expect((await admin.devices.revokeDevice({ device })).madeTokens).toEqual([]);
  const { tokens } = await admin.tokens.listTokens({});
  expect(tokens.find(({ tokenId }) => tokenId === token?.tokenId)?.revokedAt).not.toBe('');
});
