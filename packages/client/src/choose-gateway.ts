import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PalyraError, type Places } from '@palyra/kernel';
import { LOCAL } from './device-identity.ts';
import { DeviceStore, gatewayName } from './device-store.ts';
import { guarded } from './file-fault.ts';

/** Which gateway is meant: the one that was named, this machine's own, or the only one there is. */
export async function chooseGateway(places: Places, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined) return gatewayName(wanted);
  if (exists(join(places.doorDir, 'gateway.json'))) return LOCAL;
  const names = await new DeviceStore(places.gatewaysDir).names();
  if (names.includes(LOCAL)) return LOCAL;
  const [only, ...others] = names;
  if (only === undefined) {
    throw new PalyraError('DAEMON_UNREACHABLE', 'no gateway has run here, and none is paired', {
      help: 'start one with `palyra up`, or pair this device with `palyra pair HOST`',
    });
  }
  if (others.length === 0) return only;
  const known = names.map((name) => `\`${name}\``).join(', ');
  throw new PalyraError('INVALID_INPUT', 'this device is paired with several gateways', {
    help: `name one with \`--gateway\` or \`PALYRA_GATEWAY\`: ${known}`,
  });
}

/** Contract: a place that may not be looked at is HOME_UNSAFE, never one where nothing is. */
function exists(path: string): boolean {
  return guarded(path, () => statSync(path, { throwIfNoEntry: false }) !== undefined);
}
