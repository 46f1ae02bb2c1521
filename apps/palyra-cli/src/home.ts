import { PalyraError, type Places, placesFor } from '@palyra/kernel';
import type { Shell } from './command.ts';

/** Where this user's Palyra lives. */
export function homeOf(shell: Shell): Places {
  const places = placesFor(shell.environment);
  if (places !== undefined) return places;
  throw new PalyraError('CONFIG_INVALID', 'neither `PALYRA_HOME` nor `HOME` names a directory', {
    help: 'set `HOME`, or `PALYRA_HOME` to an absolute path',
  });
}
