import { constants, openSync } from 'node:fs';
import { notADirectory, notPlain } from './only-ours.ts';
import { systemCode } from './system-code.ts';

/** Contract: gives a handle to read from; the last part of the path was no link. Never waits. */
export function openNoFollow(path: string, flags = 0): number {
  try {
    // Without O_NONBLOCK a pipe in its place would hold us until somebody writes to it.
    const always = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    return openSync(path, always | flags);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ELOOP' || code === 'ENOTDIR') throw notADirectory(path);
    // What a socket answers.
    if (code === 'ENXIO') throw notPlain(path);
    throw error;
  }
}
