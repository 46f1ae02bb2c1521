import type { UndoPort, UndoView } from '@palyra/gateway';
import { PalyraError, isSameWorkspace, otherWorkspace, quote } from '@palyra/kernel';
import type { FileChange, WorkspaceFolder } from '@palyra/protocol';
import {
  DEFAULT_TOOL_LIMITS,
  type ChangePlace,
  type KeptVersion,
  type MadeChange,
  type NewContent,
  type OldContent,
  type OpenWorkspace,
  restore,
  tidyAfter,
} from '@palyra/tools';
import { openedFolder } from '../folder-number.ts';
import { openIn } from '../open-in.ts';
import { changeOf } from './change-of.ts';
import type { FileToolParts } from './file-tools.ts';

/** Contract of `Keep`: when it rejects, nothing is changed. */
type Keep = (old: MadeChange, folder: WorkspaceFolder) => Promise<void>;

interface Changed extends MadeChange {
  readonly callId: string;
  /** In which it was changed. */
  readonly workspace: WorkspaceFolder | undefined;
}

/** Takes changes of files back, with what was kept of them. */
export function createUndo(parts: FileToolParts): UndoPort {
  return {
    look: async (change) => {
      try {
        return await look(change, parts);
      } catch (reason) {
        return { kind: 'refused', error: PalyraError.from(reason) };
      }
    },
    restore: async (change, onChange) => {
      try {
        const kept = await keptOf(change, parts);
        return await takeBack(kept, parts, async (old, folder) => {
          if (old.before.kind === 'file') await parts.blobs.put(old.before.bytes);
          await onChange(changeOf(old, folder));
        });
      } catch (reason) {
        return PalyraError.from(reason);
      }
    },
    tidy: async (change) => {
      try {
        using place = placeOf(change, parts);
        tidyAfter(change.callId, change, place.workspace);
      } catch {
        // It goes with a later change in the same folder.
      }
    },
  };
}

async function look(change: FileChange, parts: FileToolParts): Promise<UndoView> {
  const kept = await keptOf(change, parts);
  const asBefore = contentAfter(change.beforeSha256, change.beforeMode);
  if ((await tryOut({ ...kept, after: asBefore }, parts)) === undefined) {
    return { kind: 'unchanged' };
  }
  const error = await tryOut(kept, parts);
  return error === undefined ? { kind: 'can-restore' } : { kind: 'refused', error };
}

/** Everything up to the moment in which the file would be changed. */
async function tryOut(kept: Changed, parts: FileToolParts): Promise<PalyraError | undefined> {
  let isReady = false;
  const error = await takeBack(kept, parts, async () => {
    isReady = true;
    throw new PalyraError('CANCELLED', 'this was only a look');
  });
  return isReady ? undefined : error;
}

async function takeBack(
  kept: Changed,
  parts: FileToolParts,
  keep: Keep,
): Promise<PalyraError | undefined> {
  using place = placeOf(kept, parts);
  const { workspace, folder } = place;
  const undo = {
    keep: (old: KeptVersion, { madeFolders }: ChangePlace) => keep({ ...old, madeFolders }, folder),
  };
  const { callId } = kept;
  const hands = { workspace, undo, limits: DEFAULT_TOOL_LIMITS, callId };
  // Nobody waits for more than one file of bounded size, and half an undo helps nobody.
  const output = await restore(kept, hands, new AbortController().signal);
  return output.kind === 'failed' ? output.error : undefined;
}

interface Ground extends Disposable {
  readonly workspace: OpenWorkspace;
  readonly folder: WorkspaceFolder;
}

/** INVARIANT: only in the very folder in which the change was made; what is there is looked at open. */
function placeOf(
  change: Pick<FileChange, 'path' | 'workspace'>,
  { workspaces }: FileToolParts,
): Ground {
  const then = change.workspace?.path ?? '';
  const workspace = openIn(workspaces.has(then) ? then : workspaces.home, workspaces);
  try {
    const folder = openedFolder(workspace);
    demandSame(change, folder);
    return { workspace, folder, [Symbol.dispose]: () => workspace[Symbol.dispose]() };
  } catch (error) {
    workspace[Symbol.dispose]();
    throw error;
  }
}

function demandSame(
  { path, workspace }: Pick<FileChange, 'path' | 'workspace'>,
  folder: WorkspaceFolder,
): void {
  if (isSameWorkspace(workspace, folder)) return;
  const { where, help } = otherWorkspace(workspace, folder);
  throw new PalyraError('CONFLICT', `${quote(path)} was changed ${where}`, { help });
}

async function keptOf(change: FileChange, parts: FileToolParts): Promise<Changed> {
  const { callId, path, afterSha256, afterMode, workspace, madeFolders } = change;
  const before = await oldContent(change, parts);
  const after = contentAfter(afterSha256, afterMode);
  return { callId, path, before, after, workspace, madeFolders };
}

async function oldContent(
  { path, beforeSha256: sha256, beforeMode: mode }: FileChange,
  { blobs }: FileToolParts,
): Promise<OldContent> {
  if (sha256 === '') return { kind: 'absent' };
  const bytes = await blobs.get(sha256, 0, DEFAULT_TOOL_LIMITS.fileBytes);
  if (bytes !== undefined) return { kind: 'file', sha256, bytes, mode };
  throw new PalyraError('NOT_FOUND', `what ${quote(path)} held before is no longer kept`);
}

function contentAfter(sha256: string, mode: number): NewContent {
  return sha256 === '' ? { kind: 'absent' } : { kind: 'file', sha256, mode };
}
