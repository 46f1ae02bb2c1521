import { dirname } from 'node:path';
import type { Shell } from './command.ts';

/** What to type for this program in the directory where it was started. */
export function ownName({ entryFile }: Pick<Shell, 'entryFile'>): string {
  return process.cwd() === dirname(dirname(entryFile)) ? './palyra' : 'palyra';
}
