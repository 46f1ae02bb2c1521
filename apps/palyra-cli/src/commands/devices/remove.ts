import { type Invocation, argument } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showDevice } from '../../one-device.ts';
import { peopleOf } from '../../people.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const client = daemonOf(invocation.shell);
  const people = await peopleOf(invocation, client);
  const { device } = await client.devices.removeDevice({ device: argument(invocation, 0) });
  return showDevice(invocation, device, people);
}
