import { type PalyraClient, openGateway, readDoor } from '@palyra/client';
import type { Places } from '@palyra/kernel';

/** A client of the daemon in this home, as the command line of its user is one: it enrols itself. */
export async function ownClient(places: Places): Promise<PalyraClient> {
  const { client } = await openGateway({ places, deviceName: 'test' });
  return client;
}

/** Origin of the console of the daemon in this home. */
export async function consoleOf({ doorDir }: Places): Promise<string> {
  const door = await readDoor(doorDir);
  if (door === undefined) throw new TypeError('no daemon has opened its doors here');
  return door.console;
}
