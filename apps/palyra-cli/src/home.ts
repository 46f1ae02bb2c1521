import { isAbsolute } from 'node:path';
import { PalyraError, type Places, placesFor, quote } from '@palyra/kernel';
import type { Shell } from './command.ts';

/** Where this user's Palyra lives. */
export function homeOf(shell: Shell): Places {
  const home = shell.environment['PALYRA_HOME'] ?? '';
  if (home !== '' && !isAbsolute(home)) {
    throw new PalyraError(
      'CONFIG_INVALID',
      `\`PALYRA_HOME\` is not an absolute path: ${quote(home)}`,
      { help: 'set it to a path that begins with `/`, or unset it' },
    );
  }
  const places = placesFor(shell.environment);
  if (places !== undefined) return places;
  throw new PalyraError('CONFIG_INVALID', 'neither `PALYRA_HOME` nor `HOME` names a directory', {
    help: 'set `HOME`, or `PALYRA_HOME` to an absolute path',
  });
}
