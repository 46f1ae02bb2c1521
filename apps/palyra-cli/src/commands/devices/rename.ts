import { type Invocation, argument } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showDevice } from '../../one-device.ts';
import { peopleOf } from '../../people.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const client = daemonOf(invocation.shell);
  const people = await peopleOf(invocation, client);
  const [device, name] = [argument(invocation, 0), argument(invocation, 1)];
  const answer = await client.devices.renameDevice({ device, name });
  return showDevice(invocation, answer.device, people);
}
