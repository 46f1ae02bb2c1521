import { Role } from '@palyra/protocol';
import { wordOf } from './words.ts';

export const ROLES: readonly Role[] = [Role.OPERATOR, Role.ADMIN, Role.OWNER];

export function roleWord(role: Role): string {
  return wordOf(Role, role);
}

/** Contract: the word of a role; anything else is the least. */
export function parseRole(word: string): Role {
  return ROLES.find((role) => roleWord(role) === word) ?? Role.OPERATOR;
}
