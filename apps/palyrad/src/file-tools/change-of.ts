import { create } from '@bufbuild/protobuf';
import { type FileChange, FileChangeSchema, type WorkspaceFolder } from '@palyra/protocol';
import type { MadeChange } from '@palyra/tools';

/** What is about to be done to a file, for the record. */
export function changeOf(
  { path, before, after, madeFolders }: MadeChange,
  workspace: WorkspaceFolder,
): FileChange {
  return create(FileChangeSchema, {
    path,
    workspace,
    madeFolders: madeFolders ?? 0,
    ...(before.kind === 'file' && { beforeSha256: before.sha256, beforeMode: before.mode }),
    ...(after.kind === 'file' && { afterSha256: after.sha256, afterMode: after.mode }),
  });
}
