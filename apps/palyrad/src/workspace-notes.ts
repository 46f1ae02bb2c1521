import type { WorkspaceNotesPort } from '@palyra/gateway';
import { type Log, PalyraError } from '@palyra/kernel';
import { openWorkspace, readTopText } from '@palyra/tools';
import type { OwnPlaces } from './own-places.ts';

const NOTES_FILE = 'AGENTS.md';

/** What the workspace says of itself, in the file at its top and in no other. */
export function workspaceNotes(own: OwnPlaces, log: Log): WorkspaceNotesPort {
  return {
    read: async (limitBytes) => {
      try {
        using workspace = openWorkspace({ path: own.workspace, gatewayFolders: own.folders });
        return readTopText(workspace, NOTES_FILE, limitBytes);
      } catch (reason) {
        const { code, message } = PalyraError.from(reason);
        if (code !== 'NOT_FOUND')
          log.warn('notes of the workspace not taken', { code, reason: message });
        return undefined;
      }
    },
  };
}
