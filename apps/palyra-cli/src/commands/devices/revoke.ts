import { DeviceSchema } from '@palyra/protocol';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { knownDevice } from '../../one-device.ts';
import { peopleOf } from '../../people.ts';
import { printDevice } from '../../render/devices.ts';
import { printMade } from '../../render/made.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  // Before: a device that revokes itself can ask nothing afterwards.
  const people = await peopleOf(invocation, client);
  const withMade = invocation.flags.has('with-made');
  const answer = await client.devices.revokeDevice({ device: argument(invocation, 0), withMade });
  const device = knownDevice(answer.device);
  const { madeDevices, madeTokens } = answer;
  if (wantsJson(invocation)) {
    terminal.json('device', {
      device: wireJson(DeviceSchema, device),
      madeDevices: madeDevices.map((one) => wireJson(DeviceSchema, one)),
      madeTokens,
    });
    return 'ok';
  }
  printDevice(terminal, device, people);
  const wanted = withMade ? 'ended' : 'kept';
  printMade(terminal, { deviceId: device.deviceId, madeDevices, madeTokens, wanted }, people);
  return 'ok';
}
