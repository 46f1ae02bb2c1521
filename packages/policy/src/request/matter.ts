import { parsePermission } from '@palyra/kernel';
import type { Permission } from '@palyra/protocol';
import type { PolicyEntity } from '../model.ts';
import { type MemberTouched, PEOPLE_PERMISSIONS, memberEntity } from './member.ts';
import { WORK_PERMISSION, type WorkTouched, workEntity } from './work.ts';
import {
  WORKSPACE_OPEN,
  WORKSPACE_PERMISSION,
  type WorkspaceTouched,
  workspaceEntity,
} from './workspace.ts';

/** What a call is about beyond the gateway itself: the runs and sessions of somebody, somebody, or a folder. */
export type Matter = WorkTouched | MemberTouched | WorkspaceTouched;

export function matterEntity(matter: Matter): PolicyEntity {
  if ('workspace' in matter) return workspaceEntity(matter.workspace);
  return 'owner' in matter ? workEntity(matter.owner) : memberEntity(matter.member);
}

/** That a call needs before its matter is looked at; `undefined` where none is, as for what an agent does. */
export function permissionFor(action: string): Permission | undefined {
  return matterPermission(action) ?? parsePermission(action);
}

/** Likewise, of what is asked about a matter only. */
export function matterPermission(action: string): Permission | undefined {
  if (action === WORKSPACE_OPEN) return WORKSPACE_PERMISSION;
  return action.startsWith('work.') ? WORK_PERMISSION : PEOPLE_PERMISSIONS.get(action);
}

const WORK_ACTIONS = ['work.see', 'work.speak', 'work.stop', 'work.undo'];

/** Whether the schema has it; of any other nobody is ever asked, but for somebody who misspells one. */
export function isMatter(action: string): boolean {
  return (
    WORK_ACTIONS.includes(action) || PEOPLE_PERMISSIONS.has(action) || action === WORKSPACE_OPEN
  );
}
