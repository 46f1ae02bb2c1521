import type { WorkspaceFolder } from '@palyra/protocol';
import { quote } from './visible-text.ts';

/** What programs in a cage find the workspace as: nothing of the machine's folders is told by its name. */
export const WORKSPACE_IN_CAGE = '/workspace';

/**
 * Both have to be the same: a path can come to name another folder, and file systems give the number
 * of one that is gone to a new one. Contract: what has no number is the same as nothing.
 */
export function isSameWorkspace(then: WorkspaceFolder | undefined, now: WorkspaceFolder): boolean {
  return now.number !== '' && then?.number === now.number && then.path === now.path;
}

export interface OtherWorkspace {
  /** To follow what was done: `was made`, `was started`. */
  readonly where: string;
  readonly help: string;
}

/** For people: in which other workspace something was done, and the way there. */
export function otherWorkspace(
  then: WorkspaceFolder | undefined,
  now: WorkspaceFolder,
): OtherWorkspace {
  if (then === undefined) {
    return {
      where: 'in a folder that is not on record',
      help: 'it is of an older gateway, and nothing proves that it was this workspace',
    };
  }
  const path = quote(then.path);
  if (then.path !== now.path) {
    return {
      where: `in the workspace ${path}, and the gateway works in ${quote(now.path)}`,
      help: `name ${path} in \`runs.workspaces\`, or start the gateway there`,
    };
  }
  return {
    where: `in another folder that was called ${path}`,
    help: 'the folder was replaced, or its file system mounted anew; with the old one back it works',
  };
}
