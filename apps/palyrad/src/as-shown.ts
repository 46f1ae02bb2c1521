import { changedFile, filesOf } from '@palyra/approvals';
import { type ErrorCode, PalyraError, quote } from '@palyra/kernel';
import type { CallPreview, FileChange, NamedFile, ShownChange } from '@palyra/protocol';

/**
 * What somebody approved, held against what is there when it is to be done. All of these throw
 * APPROVAL_OUTDATED for anything else than what was shown; `undefined` where nobody was shown anything.
 */

/** `workspace` gives the number of the folder in which the call is about to be done. */
export function demandAsShown(shown: CallPreview | undefined, workspace: () => string): void {
  if (shown === undefined) return;
  if (shown.refusal !== undefined) {
    throw outdated(`the change could not be shown: ${shown.refusal.message}`);
  }
  if (shown.workspace !== workspace()) {
    throw outdated('the workspace is another folder than when the call was approved');
  }
}

/** `directory` gives the numbers of the folder that a command is about to start in, and of those on the way. */
export function demandShownDirectory(
  shown: CallPreview | undefined,
  directory: () => string,
): void {
  if (shown === undefined || shown.directory === directory()) return;
  throw outdated('the folder that it starts in is another than when the call was approved');
}

/** Contract: `now` is what the command names, as it is when it is about to start. */
export function demandShownFiles(
  shown: CallPreview | undefined,
  now: () => readonly NamedFile[],
): void {
  if (shown === undefined) return;
  const files = now();
  const other = shown.foldersMayChange
    ? changedFile(filesOf(shown.namedFiles), filesOf(files))
    : changedFile(shown.namedFiles, files);
  if (other === undefined) return;
  throw outdated(`${quote(other)} has changed since the call was approved`);
}

/** Contract: `change` is what would be done now, `facts` those of its place. */
export function demandShownChange(
  shown: CallPreview | undefined,
  change: FileChange & Pick<ShownChange, 'facts'>,
): void {
  if (shown === undefined) return;
  const isShown = shown.changes.some(
    ({ path, beforeSha256, afterSha256, facts }) =>
      path === change.path &&
      beforeSha256 === change.beforeSha256 &&
      afterSha256 === change.afterSha256 &&
      facts === change.facts,
  );
  if (!isShown) throw outdated(`${quote(change.path)} has changed since the call was approved`);
}

/** What the files can say only when they are not as they were. */
const CHANGED: Readonly<Record<'planned' | 'not-planned', ReadonlySet<ErrorCode>>> = {
  planned: new Set(['CONFLICT']),
  'not-planned': new Set(['CONFLICT', 'NOT_FOUND', 'TOOL_FAILED']),
};

/** Why a change failed: what could be planned when it was shown, and cannot be now, is outdated. */
export function unlikeShown(
  shown: CallPreview | undefined,
  error: PalyraError,
  how: 'planned' | 'not-planned',
): PalyraError {
  const wasPossible = shown !== undefined && shown.changes.length > 0;
  if (!wasPossible || !CHANGED[how].has(error.code)) return error;
  return outdated(`${error.message}; that was not so when the call was approved`);
}

function outdated(message: string): PalyraError {
  return new PalyraError('APPROVAL_OUTDATED', message);
}
