import { join } from 'node:path';
import type { Bytes, Places } from '@palyra/kernel';
import { makePrivateDirectory, replacePrivateFile } from '../authority/private-files.ts';

export interface DoorFacts {
  /** `HOST:PORT` of the device port, as a program on this machine reaches it. */
  readonly address: string;
  /** Origin of the console; empty when there is none. */
  readonly console: string;
  /** DER, the active one first. */
  readonly authorities: readonly Bytes[];
}

/**
 * Tells programs of the same user on the same machine where the gateway is and whom to trust, so
 * that neither has to be typed. What they must prove stands beside it, in the one-time secret.
 */
export function writeDoorFile(places: Pick<Places, 'doorDir'>, facts: DoorFacts): void {
  makePrivateDirectory(places.doorDir);
  const authorities = facts.authorities.map((der) => Buffer.from(der).toString('base64'));
  const door = { format: 'palyra.door.v1', ...facts, authorities };
  replacePrivateFile(join(places.doorDir, 'gateway.json'), `${JSON.stringify(door, null, 2)}\n`);
}
