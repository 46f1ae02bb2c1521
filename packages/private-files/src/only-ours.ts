import type { Stats } from 'node:fs';
import { PalyraError, quote } from '@palyra/kernel';

const OTHERS = 0o077;

/** Contract: throws HOME_UNSAFE unless it is ours and nobody else has any right to it. */
export function checkOnlyOurs(path: string, stats: Stats): void {
  if (stats.uid !== process.getuid?.()) throw unsafe(path, 'belongs to another user');
  if ((stats.mode & OTHERS) === 0) return;
  const mode = stats.isDirectory() ? '700' : '600';
  throw new PalyraError('HOME_UNSAFE', `\`${path}\` is open to other users`, {
    help: `take their rights away with \`chmod ${mode} '${path}'\``,
  });
}

/** Contract: throws HOME_UNSAFE unless it is a plain file that only we may use. */
export function checkPlainFile(path: string, stats: Stats): void {
  if (!stats.isFile()) throw notPlain(path);
  checkOnlyOurs(path, stats);
}

/** Contract: throws HOME_UNSAFE when there is another name of the same file, wherever that is. */
export function checkOneName(path: string, stats: Stats): void {
  if (stats.nlink === 1) return;
  const message = `${quote(path)} has another name elsewhere (a hard link)`;
  throw new PalyraError('HOME_UNSAFE', message, {
    help: 'copy it to a file of its own, and name that one',
  });
}

export function notPlain(path: string): PalyraError {
  return unsafe(path, 'is not a plain file');
}

export function notADirectory(path: string): PalyraError {
  return unsafe(path, 'is a link or not a directory');
}

function unsafe(path: string, what: string): PalyraError {
  return new PalyraError('HOME_UNSAFE', `\`${path}\` ${what}`, {
    help: 'move it away and let Palyra make its own; what held keys comes back from a backup only',
  });
}
