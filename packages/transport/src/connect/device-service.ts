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
    async revokeDevice({ device, withMade }, { values }) {
      const caller = callerIn(values);
      const revoked = await devices.revoke(device, caller);
      const made = withMade
        ? await devices.revokeMade(revoked.deviceId, caller)
        : await devices.made(revoked.deviceId);
      return { device: revoked, madeDevices: [...made.devices], madeTokens: [...made.tokens] };
    },
    removeDevice: async ({ device }, { values }) => ({
      device: await devices.remove(device, callerIn(values)),
    }),
  };
}
