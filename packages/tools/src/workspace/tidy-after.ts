import { PalyraError } from '@palyra/kernel';
import type { MadeChange } from '../hands.ts';
import { removeDraftsOf } from './drafts.ts';
import { removeEmptied } from './folders.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { openFolder, writableNamesOf } from './place.ts';

/**
 * Takes away what a call that was cut off has left beside a file that it was about to change: drafts and
 * backups, and folders that it had made on the way, as far as nothing else is in them.
 * Contract: never throws a PalyraError; what cannot be removed stays.
 */
export function tidyAfter(
  callId: string,
  { path, madeFolders = 0 }: Pick<MadeChange, 'path' | 'madeFolders'>,
  workspace: OpenWorkspace,
): void {
  try {
    const names = writableNamesOf(workspace, path).slice(0, -1);
    removeDrafts(callId, names, workspace);
    removeEmptied(workspace, names, madeFolders);
  } catch (error) {
    if (!(error instanceof PalyraError)) throw error;
  }
}

function removeDrafts(callId: string, names: readonly string[], workspace: OpenWorkspace): void {
  using folder = openFolder(workspace, names);
  removeDraftsOf(callId, workspace, folder);
}
