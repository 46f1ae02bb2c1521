import { Permission } from '@palyra/protocol';
import type { PolicyEntity } from '../model.ts';
import { reference } from './words.ts';

/** Without it nobody gets as far as to be asked where they want to work. */
export const WORKSPACE_PERMISSION = Permission.SESSIONS_USE;
export const WORKSPACE_OPEN = 'workspace.open';

export interface WorkspaceTouched {
  /** `workspace.open`; any that the schema has for this resource. */
  readonly action: string;
  /** Absolute, without links. */
  readonly workspace: string;
}

export function workspaceEntity(path: string): PolicyEntity {
  return { uid: reference('Workspace', path), attrs: { path }, parents: [] };
}
