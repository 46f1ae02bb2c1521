import { fstatSync, statSync } from 'node:fs';
import { create } from '@bufbuild/protobuf';
import { type WorkspaceFolder, WorkspaceFolderSchema } from '@palyra/protocol';

/** The file system's own number for an open folder: another one of the same name has another. */
export function folderNumber(descriptor: number): string {
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  return `${dev}:${ino}`;
}

/** The workspace that is open, whatever its path has come to name since. */
export function openedFolder({ path, descriptor }: OpenFolder): WorkspaceFolder {
  return create(WorkspaceFolderSchema, { path, number: folderNumber(descriptor) });
}

export interface OpenFolder {
  readonly path: string;
  readonly descriptor: number;
}

export function folderNumberAt(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}

/** The folder of that path, without a number when there is none: it then is the same as no other. */
export function workspaceFolder(path: string): WorkspaceFolder {
  return create(WorkspaceFolderSchema, { path, number: numberOrNone(path) });
}

function numberOrNone(path: string): string {
  try {
    return folderNumberAt(path);
  } catch {
    return '';
  }
}
