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

/** Contract: `now` is what the command names, as it is when it is about to start. */
export function demandShownFiles(
  shown: CallPreview | undefined,
  now: () => readonly NamedFile[],
): void {
  if (shown === undefined) return;
  const before = new Map(shown.namedFiles.map(stateOf));
  const after = new Map(now().map(stateOf));
  const other = [...before.keys(), ...after.keys()].find(
    (name) => before.get(name) !== after.get(name),
  );
  if (other !== undefined)
    throw outdated(`${quote(other)} has changed since the call was approved`);
}

/** What is not bound by its content is held against what the file system keeps of it. */
function stateOf({ name, sha256, facts, notBound }: NamedFile): readonly [string, string] {
  return [name, [sha256, facts, notBound].join('\n')];
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
