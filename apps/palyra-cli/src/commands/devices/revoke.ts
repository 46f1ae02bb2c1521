import { type Invocation, argument } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showDevice } from '../../one-device.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { devices } = daemonOf(invocation.shell);
  const { device } = await devices.revokeDevice({ device: argument(invocation, 0) });
  return showDevice(invocation, device);
}
