import { PalyraError } from '@palyra/kernel';
import { type Device, DeviceSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from './command.ts';
import type { Exit } from './exit-codes.ts';
import { printDevice } from './render/devices.ts';
import { wireJson } from './wire-json.ts';

/** Shows the device that a call answered with. */
export function showDevice(invocation: Invocation, device: Device | undefined): Exit {
  const { terminal } = invocation.shell;
  if (device === undefined) {
    throw new PalyraError('UNEXPECTED', 'the gateway answered without a device');
  }
  if (wantsJson(invocation)) terminal.json('device', { device: wireJson(DeviceSchema, device) });
  else printDevice(terminal, device);
  return 'ok';
}
