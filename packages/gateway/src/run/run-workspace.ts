import { PalyraError, type RunId, isSameWorkspace, otherWorkspace, quote } from '@palyra/kernel';
import type { Session, WorkspaceFolder } from '@palyra/protocol';
import type { WorkspacePort } from '../ports.ts';

export interface WantedPlace {
  /** Empty: that of the session, or the gateway's own. */
  readonly named: string;
  /** Absent for a new one. */
  readonly session: Session | undefined;
}

/**
 * Where a run works. INVARIANT: all runs of a session in the same folder, since each remembers what
 * the others saw and were allowed there.
 */
export function placeToStart({ named, session }: WantedPlace, workspace: WorkspacePort): string {
  if (session === undefined) return workspace.choose(named);
  const own = workspace.choose(session.workspace);
  if (named === '' || workspace.choose(named) === own) return own;
  const message = `session ${quote(session.sessionId)} works in ${quote(own)}, not in ${quote(named)}`;
  throw new PalyraError('INVALID_INPUT', message, {
    help: 'leave the folder out, or start a new session in the other one',
  });
}

/** What a run saw and was allowed is of the folder in which it was asked for. */
export function placeToResume(
  runId: RunId,
  then: WorkspaceFolder | undefined,
  workspace: WorkspacePort,
): string {
  const path = then?.path ?? '';
  const now = workspace.now(workspace.has(path) ? path : workspace.home);
  if (isSameWorkspace(then, now)) return workspace.choose(path);
  const { where, help } = otherWorkspace(then, now);
  throw new PalyraError('RUN_NOT_RESUMABLE', `run \`${runId}\` was started ${where}`, { help });
}
