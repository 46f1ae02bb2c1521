import { create } from '@bufbuild/protobuf';
import {
  type ApprovalGrant,
  type CallPreview,
  CallPreviewSchema,
  type GrantShape,
  type ShownChange,
} from '@palyra/protocol';
import { changedFile, filesOf } from './named-files.ts';

/**
 * A grant for exactly one call is one for what that call was: the script that it names, not whatever
 * has its name by then. Wider shapes name no content, and are bound to none.
 */

export function isBound(shape: GrantShape | undefined): boolean {
  return shape !== undefined && shape.argumentsSha256 !== '';
}

/** What such a grant keeps of the question. */
export function boundOf(shown: CallPreview): CallPreview {
  const { workspace, directory, changes, refusal, namedFiles } = shown;
  return create(CallPreviewSchema, {
    workspace,
    directory,
    changes,
    namedFiles: filesOf(namedFiles),
    foldersMayChange: true,
    ...(refusal === undefined ? {} : { refusal }),
  });
}

/** Contract: false for a grant that kept nothing, and for one of what could not be shown. */
export function isAsGranted({ shown }: ApprovalGrant, now: CallPreview): boolean {
  if (shown === undefined || shown.refusal !== undefined) return false;
  // It would be refused as it is, so nobody has to look at it.
  if (now.refusal !== undefined) return true;
  return (
    shown.directory === now.directory &&
    changedFile(shown.namedFiles, filesOf(now.namedFiles)) === undefined &&
    now.changes.every((change) => shown.changes.some((known) => isSameChange(known, change)))
  );
}

/** Of the file as it was shown, or as the call itself has left it. */
function isSameChange(known: ShownChange, now: ShownChange): boolean {
  if (known.path !== now.path) return false;
  const isAsShown = known.beforeSha256 === now.beforeSha256 && known.facts === now.facts;
  return isAsShown || (known.afterSha256 !== '' && known.afterSha256 === now.beforeSha256);
}
