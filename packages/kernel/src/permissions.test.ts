import { fromJson } from '@bufbuild/protobuf';
import { MemberSchema, Permission, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import {
  PERMISSIONS,
  isForPeopleOnly,
  parsePermission,
  permissionWord,
  permissionsOf,
} from './permissions.ts';

const ROLES = [Role.OPERATOR, Role.ADMIN, Role.OWNER];
const EVERY = Object.values(Permission).filter((each) => each !== Permission.UNSPECIFIED);

/** As the issue that asked for them says it; a change of the table is a change of this list. */
const EXPECTED: readonly (readonly [word: string, roles: string])[] = [
  ['sessions.use', 'operator admin owner'],
  ['approvals.answer', 'operator admin owner'],
  ['memory.use', 'operator admin owner'],
  ['routines.use', 'operator admin owner'],
  ['observability.read', 'operator admin owner'],
  ['compat.models.read', 'operator admin owner'],
  ['compat.chat.create', 'operator admin owner'],
  ['compat.responses.create', 'operator admin owner'],
  ['compat.embeddings.create', 'operator admin owner'],
  ['tokens.manage', 'admin owner'],
  ['members.manage', 'admin owner'],
  ['policy.manage', 'admin owner'],
  ['vault.manage', 'admin owner'],
  ['devices.manage', 'admin owner'],
  ['workspace.manage', 'owner'],
  ['trust.operate', 'owner'],
];
const ROLE_WORDS: readonly (readonly [Role, string])[] = [
  [Role.OPERATOR, 'operator'],
  [Role.ADMIN, 'admin'],
  [Role.OWNER, 'owner'],
];

describe('the table of permissions', () => {
  it('says who may do what', () => {
    const table = [...PERMISSIONS.keys()].map((permission) => {
      const holders = ROLE_WORDS.filter(([role]) => permissionsOf(role).has(permission));
      return [permissionWord(permission), holders.map(([, word]) => word).join(' ')];
    });
    expect(table).toEqual(EXPECTED);
  });

  it('has every permission of the protocol', () => {
    expect(new Set(PERMISSIONS.keys())).toEqual(new Set(EVERY));
    expect(PERMISSIONS.size).toBe(16);
  });

  it('gives every role what those below it have', () => {
    const [operator, admin, owner] = ROLES.map((role) => permissionsOf(role));
    expect(operator?.isSubsetOf(admin ?? new Set())).toBe(true);
    expect(admin?.isSubsetOf(owner ?? new Set())).toBe(true);
  });

  it.each([0, 4, 99, -1])('gives %d, which is no role, nothing', (number) => {
    expect(permissionsOf(roleFromTheWire(number))).toEqual(new Set());
  });
});

describe('a permission for people only', () => {
  it('is each by which somebody decides what is allowed', () => {
    expect(EVERY.filter(isForPeopleOnly).map(permissionWord)).toEqual([
      'approvals.answer',
      'tokens.manage',
      'members.manage',
      'policy.manage',
      'vault.manage',
      'devices.manage',
      'workspace.manage',
      'trust.operate',
    ]);
  });

  it('is each that is not known', () => {
    expect(isForPeopleOnly(Permission.UNSPECIFIED)).toBe(true);
  });
});

describe('the word of a permission', () => {
  it('leads back to it', () => {
    const back = EVERY.map((permission) => parsePermission(permissionWord(permission)));
    expect(back).toEqual(EVERY);
  });

  it.each(['', 'unspecified', 'unknown', 'SESSIONS_USE', 'sessions_use', 'sessions.use '])(
    'is not `%s`',
    (word) => {
      expect(parsePermission(word)).toBeUndefined();
    },
  );
});

/** A newer Palyra, or somebody else, may have written a number that we do not know. */
function roleFromTheWire(role: number): Role {
  return fromJson(MemberSchema, { role }).role;
}
