import { lstatSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/**
 * The file system's own numbers for a folder of the workspace and for each on the way to it, the
 * workspace first: another one with the same in it has another. A number is given again as soon as it
 * is free, so the moment of its making stands beside it. Contract: throws as `lstat` does.
 */
export function folderNumbers(workspace: string, way: string): string {
  const names = way.split('/').filter((name) => name !== '' && name !== '.');
  const paths = ['', ...names].map((_, depth) => join(workspace, ...names.slice(0, depth)));
  return paths.map(numberOf).join(' ');
}

function numberOf(path: string): string {
  const { dev, ino, birthtimeNs } = lstatSync(path, { bigint: true });
  return `${dev}:${ino}:${birthtimeNs}`;
}

/** Of the folder that a command starts in, also through links. Contract: never throws; empty for none. */
export function directoryNumbers(workspace: string, directory: string): string {
  try {
    const way = relative(workspace, realpathSync(resolve(workspace, directory)));
    return way.split('/')[0] === '..' ? '' : folderNumbers(workspace, way);
  } catch {
    return '';
  }
}
