import { PalyraError, quote } from '@palyra/kernel';
import type { CallPreview, FileChange, NamedFile } from '@palyra/protocol';

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

/** Contract: `now` are the files that the command names, as they are when it is about to start. */
export function demandShownFiles(
  shown: CallPreview | undefined,
  now: () => readonly NamedFile[],
): void {
  if (shown === undefined) return;
  const before = new Map(shown.namedFiles.map(({ name, sha256 }) => [name, sha256]));
  const after = new Map(now().map(({ name, sha256 }) => [name, sha256]));
  const other = [...before.keys(), ...after.keys()].find(
    (name) => before.get(name) !== after.get(name),
  );
  if (other !== undefined)
    throw outdated(`${quote(other)} has changed since the call was approved`);
}

export function demandShownChange(shown: CallPreview | undefined, change: FileChange): void {
  if (shown === undefined) return;
  const isShown = shown.changes.some(
    ({ path, beforeSha256, afterSha256 }) =>
      path === change.path &&
      beforeSha256 === change.beforeSha256 &&
      afterSha256 === change.afterSha256,
  );
  if (!isShown) throw outdated(`${quote(change.path)} has changed since the call was approved`);
}

function outdated(message: string): PalyraError {
  return new PalyraError('APPROVAL_OUTDATED', message);
}
