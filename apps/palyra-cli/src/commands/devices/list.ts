import { DeviceSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printDevices } from '../../render/devices.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const { devices } = await daemonOf(invocation.shell).devices.listDevices({});
  if (wantsJson(invocation)) {
    terminal.json('devices', { devices: devices.map((one) => wireJson(DeviceSchema, one)) });
  } else {
    printDevices(terminal, devices);
  }
  return 'ok';
}
