import { closeSync, constants, fstatSync, mkdirSync } from 'node:fs';
import { checkOnlyOurs } from './only-ours.ts';
import { openNoFollow } from './open-no-follow.ts';

/** Contract: afterwards the directory exists, is ours, and nobody else may enter it. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  checkPrivateDirectory(path);
}

/** Contract: throws unless it is a directory of ours that nobody else may enter. */
export function checkPrivateDirectory(path: string): void {
  const handle = openNoFollow(path, constants.O_DIRECTORY);
  try {
    checkOnlyOurs(path, fstatSync(handle));
  } finally {
    closeSync(handle);
  }
}
