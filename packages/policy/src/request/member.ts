import { Permission, type Role } from '@palyra/protocol';
import type { PolicyEntity } from '../model.ts';
import { reference, rolesUpTo } from './words.ts';

/** Each goes with a call for which this permission is needed. */
export const PEOPLE_PERMISSIONS: ReadonlyMap<string, Permission> = new Map([
  ['people.change', Permission.MEMBERS_MANAGE],
  ['people.admit', Permission.DEVICES_MANAGE],
  ['people.unpair', Permission.DEVICES_MANAGE],
  ['people.revoke', Permission.TOKENS_MANAGE],
  ['people.rotate', Permission.TOKENS_MANAGE],
]);

export interface MemberTouched {
  /** `people.change`; any that the schema has for this resource. */
  readonly action: string;
  readonly member: TouchedMember;
}

export interface TouchedMember {
  /** Empty for one who is only to be added. */
  readonly userId: string;
  /** That they have, or are to get. */
  readonly role: Role;
}

export function memberEntity({ userId, role }: TouchedMember): PolicyEntity {
  return {
    uid: reference('Member', userId === '' ? 'new' : userId),
    attrs: userId === '' ? {} : { user: reference('User', userId) },
    parents: rolesUpTo(role).map((word) => reference('Role', word)),
  };
}
