import { PalyraError } from '@palyra/kernel';
import { type Device, DeviceSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from './command.ts';
import type { Exit } from './exit-codes.ts';
import type { People } from './people.ts';
import { printDevice } from './render/devices.ts';
import { wireJson } from './wire-json.ts';

/** Shows the device that a call answered with. */
export function showDevice(
  invocation: Invocation,
  answered: Device | undefined,
  people: People,
): Exit {
  const device = knownDevice(answered);
  const { terminal } = invocation.shell;
  if (wantsJson(invocation)) terminal.json('device', { device: wireJson(DeviceSchema, device) });
  else printDevice(terminal, device, people);
  return 'ok';
}

export function knownDevice(device: Device | undefined): Device {
  if (device !== undefined) return device;
  throw new PalyraError('UNEXPECTED', 'the gateway answered without a device');
}
