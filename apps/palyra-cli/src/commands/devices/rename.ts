import { type Invocation, argument } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showDevice } from '../../one-device.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { devices } = daemonOf(invocation.shell);
  const [device, name] = [argument(invocation, 0), argument(invocation, 1)];
  return showDevice(invocation, (await devices.renameDevice({ device, name })).device);
}
