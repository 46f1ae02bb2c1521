import { Permission } from '@palyra/protocol';
import type { PolicyEntity } from '../model.ts';
import { reference } from './words.ts';

/** Without it nobody gets as far as to be asked whose it is. */
export const WORK_PERMISSION = Permission.SESSIONS_USE;

export interface WorkTouched {
  /** `work.see`; any that the schema has for this resource. */
  readonly action: string;
  /** `user:01J…`, `token:01J…`, or `everybody`. */
  readonly owner: string;
}

/** Contract: of an owner who is neither a person nor a token nobody is the owner. */
export function workEntity(owner: string): PolicyEntity {
  const [kind = '', id = ''] = owner.split(/:(.*)/su, 2);
  const type = TYPES.get(kind);
  const attrs = type === undefined || id === '' ? {} : { [kind]: reference(type, id) };
  return { uid: reference('Work', owner), attrs, parents: [] };
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['user', 'User'],
  ['token', 'Token'],
]);
