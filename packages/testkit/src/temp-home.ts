import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Places, placesFor } from '@palyra/kernel';

/** An empty home of its own for one test, gone afterwards. */
export interface TempHome extends AsyncDisposable {
  readonly path: string;
  readonly places: Places;
}

export async function tempHome(): Promise<TempHome> {
  const path = await mkdtemp(join(tmpdir(), 'palyra-'));
  const places = placesFor({ PALYRA_HOME: path });
  if (places === undefined) throw new Error('the temporary directory is not an absolute path');
  return {
    path,
    places,
    [Symbol.asyncDispose]: async () => {
      // What a killed daemon had started may write for a moment longer.
      await rm(path, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}
