import type { WorkspaceNotesPort } from '@palyra/gateway';
import { type Log, PalyraError } from '@palyra/kernel';
import { readTopText } from '@palyra/tools';
import { openIn } from './open-in.ts';
import type { Workspaces } from './workspaces.ts';

const NOTES_FILE = 'AGENTS.md';

/** What the workspace says of itself, in the file at its top and in no other. */
export function workspaceNotes(
  workspaces: Pick<Workspaces, 'groundIn' | 'mountPoints'>,
  log: Log,
): WorkspaceNotesPort {
  return {
    read: async (path, limitBytes) => {
      try {
        using workspace = openIn(path, workspaces);
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
