import { fstatSync, statSync } from 'node:fs';

/** The file system's own number for an open folder: another one of the same name has another. */
export function folderNumber(descriptor: number): string {
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  return `${dev}:${ino}`;
}

export function folderNumberAt(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
