import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Places, placesFor } from '@palyra/kernel';
import { ROOT } from '../../tools/run.ts';

export interface Home extends AsyncDisposable {
  readonly path: string;
  readonly places: Places;
}

/** On the disk of the repository: temporary directories may be memory, where a flush costs nothing. */
export const CACHE_DIR = join(ROOT, 'node_modules/.cache/bench');

/** For daemons. */
export async function daemonHome(): Promise<Home> {
  return temporaryHome(tmpdir());
}

/** For stores. */
export async function storeHome(): Promise<Home> {
  await mkdir(CACHE_DIR, { recursive: true });
  return temporaryHome(CACHE_DIR);
}

export function placesAt(home: string): Places {
  const places = placesFor({ PALYRA_HOME: home });
  if (places === undefined) throw new Error('a home must be an absolute path');
  return places;
}

async function temporaryHome(parent: string): Promise<Home> {
  const path = await mkdtemp(join(parent, 'palyra-'));
  return {
    path,
    places: placesAt(path),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
