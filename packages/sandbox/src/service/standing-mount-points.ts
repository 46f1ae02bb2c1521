import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { notedPoints } from '../tier-c-bubblewrap/guard/ledger.ts';
import type { MountPoint } from '../tier-c-bubblewrap/guard/mount-point.ts';
import { SEAT_NAME } from './seat.ts';
import { sandboxPlace } from './state-folder.ts';

/**
 * What stands in any workspace only because masks lie on it, whichever process of this user made it and
 * whether that still lives. INVARIANT: told by the ledgers, which no command can write, and never by what a
 * workspace looks like alone: what is being made has its name in one, is empty and no older. Contract: never throws; what nobody has noted, or cannot be read, is not told of.
 */
export function standingMountPoints(own: string): readonly MountPoint[] {
  const base = sandboxPlace(own);
  return seatsIn(base).flatMap((seat) => notedPoints(join(base, seat, 'ledger')));
}

function seatsIn(base: string): readonly string[] {
  try {
    return readdirSync(base).filter((name) => SEAT_NAME.test(name));
  } catch {
    // No sandbox was ever made here.
    return [];
  }
}
