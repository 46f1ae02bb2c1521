import type { ServiceImpl } from '@connectrpc/connect';
import type { DevicesPort } from '@palyra/gateway';
import type { DeviceService } from '@palyra/protocol';
import { callerIn } from '../auth/context.ts';

export function deviceService(devices: DevicesPort): ServiceImpl<typeof DeviceService> {
  return {
    listDevices: async () => ({ devices: [...(await devices.list())] }),
    getDevice: async ({ device }) => ({ device: await devices.get(device) }),
    renameDevice: async ({ device, name }, { values }) => ({
      device: await devices.rename(device, name, callerIn(values)),
    }),
    revokeDevice: async ({ device }, { values }) => ({
      device: await devices.revoke(device, callerIn(values)),
    }),
    removeDevice: async ({ device }, { values }) => ({
      device: await devices.remove(device, callerIn(values)),
    }),
  };
}
