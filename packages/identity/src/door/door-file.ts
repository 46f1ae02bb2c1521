import { join } from 'node:path';
import type { Bytes, Places } from '@palyra/kernel';
import { makePrivateDirectory, replaceForNow } from '@palyra/private-files';
import { guarded } from '../file-fault.ts';

export interface DoorFacts {
  /** `HOST:PORT` of the device port, as a program on this machine reaches it. */
  readonly address: string;
  /** Origin of the console; empty when there is none. */
  readonly console: string;
  /** DER; the one that the port is to be asked for first. */
  readonly authorities: readonly Bytes[];
}

/**
 * Tells programs of the same user on the same machine where the gateway is and whom to trust, so
 * that neither has to be typed. What they must prove stands beside it, in the one-time secret.
 */
export function writeDoorFile(places: Pick<Places, 'doorDir'>, facts: DoorFacts): void {
  const authorities = facts.authorities.map((der) => Buffer.from(der).toString('base64'));
  const door = { format: 'palyra.door.v1', ...facts, authorities };
  const path = join(places.doorDir, 'gateway.json');
  guarded(path, () => {
    makePrivateDirectory(places.doorDir);
    replaceForNow(path, `${JSON.stringify(door, null, 2)}\n`);
  });
}
