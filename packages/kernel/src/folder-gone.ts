import { PalyraError } from './errors.ts';

/** The call by which a process asks where it is, also to work out what a relative path means. */
const WHERE_AM_I = 'uv_cwd';

/**
 * The name of a fault that every program meets where somebody removed the folder it was started in.
 * Contract: `undefined` for any other.
 */
export function folderGone(reason: unknown): PalyraError | undefined {
  const isGone = reason instanceof Error && 'syscall' in reason && reason.syscall === WHERE_AM_I;
  if (!isGone) return undefined;
  return new PalyraError('INVALID_INPUT', 'the current folder is gone or cannot be entered', {
    cause: reason,
    help: 'go to another folder with `cd` and try again',
  });
}
