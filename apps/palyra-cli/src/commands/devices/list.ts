import { DeviceSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { peopleOf } from '../../people.ts';
import { printDevices } from '../../render/devices.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const [{ devices }, people] = await Promise.all([
    client.devices.listDevices({}),
    peopleOf(invocation, client),
  ]);
  if (wantsJson(invocation)) {
    terminal.json('devices', { devices: devices.map((one) => wireJson(DeviceSchema, one)) });
  } else {
    printDevices(terminal, devices, people);
  }
  return 'ok';
}
