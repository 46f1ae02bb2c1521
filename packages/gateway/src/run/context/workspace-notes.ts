import type { BlobsPort, WorkspaceNotesPort } from '../../ports.ts';

/** The most that is read of AGENTS.md. */
const MOST_BYTES = 32 * 1024;

export interface NotesParts {
  readonly workspaceNotes: WorkspaceNotesPort;
  readonly blobs: BlobsPort;
}

/** Keeps what the workspace says now. Contract: resolves with its hash, empty when it says nothing. */
export async function keepNotes(
  workspace: string,
  { workspaceNotes, blobs }: NotesParts,
): Promise<string> {
  const notes = await workspaceNotes.read(workspace, MOST_BYTES);
  return notes === undefined || notes.trim() === '' ? '' : await blobs.put(Buffer.from(notes));
}

/** What it said when the run began: a run that goes on later hears the same. */
export async function loadNotes(sha256: string, blobs: BlobsPort): Promise<string> {
  const bytes = sha256 === '' ? undefined : await blobs.get(sha256, 0, MOST_BYTES);
  return bytes === undefined ? '' : Buffer.from(bytes).toString();
}
