import { Permission, Role } from '@palyra/protocol';

export interface PermissionFacts {
  /** The lowest role that has it; every higher one has it too. */
  readonly from: Role;
  /**
   * Only people may have it: nothing that a model, a tool or a program says may change what is
   * allowed. No token can be given it, whoever mints it.
   */
  readonly forPeopleOnly: boolean;
}

const use = (from: Role): PermissionFacts => ({ from, forPeopleOnly: false });
const govern = (from: Role): PermissionFacts => ({ from, forPeopleOnly: true });

/** Who may do what. docs/reference/permissions.md is made from this table. */
export const PERMISSIONS: ReadonlyMap<Permission, PermissionFacts> = new Map([
  [Permission.SESSIONS_USE, use(Role.OPERATOR)],
  [Permission.APPROVALS_ANSWER, govern(Role.OPERATOR)],
  [Permission.MEMORY_USE, use(Role.OPERATOR)],
  [Permission.ROUTINES_USE, use(Role.OPERATOR)],
  [Permission.OBSERVABILITY_READ, use(Role.OPERATOR)],
  [Permission.COMPAT_MODELS_READ, use(Role.OPERATOR)],
  [Permission.COMPAT_CHAT_CREATE, use(Role.OPERATOR)],
  [Permission.COMPAT_RESPONSES_CREATE, use(Role.OPERATOR)],
  [Permission.COMPAT_EMBEDDINGS_CREATE, use(Role.OPERATOR)],
  [Permission.TOKENS_MANAGE, govern(Role.ADMIN)],
  [Permission.MEMBERS_MANAGE, govern(Role.ADMIN)],
  [Permission.POLICY_MANAGE, govern(Role.ADMIN)],
  [Permission.VAULT_MANAGE, govern(Role.ADMIN)],
  [Permission.DEVICES_MANAGE, govern(Role.ADMIN)],
  [Permission.WORKSPACE_MANAGE, govern(Role.OWNER)],
  [Permission.TRUST_OPERATE, govern(Role.OWNER)],
]);

/** Contract: none for a role that is not one. */
export function permissionsOf(role: Role): ReadonlySet<Permission> {
  const held = [...PERMISSIONS].filter(([, { from }]) => role >= from && isRole(role));
  return new Set(held.map(([permission]) => permission));
}

export function isForPeopleOnly(permission: Permission): boolean {
  return PERMISSIONS.get(permission)?.forPeopleOnly ?? true;
}

/** `compat.chat.create`: as people write it. */
export function permissionWord(permission: Permission): string {
  return WORDS.get(permission) ?? 'unknown';
}

/** Contract: `undefined` for a word that is no permission. */
export function parsePermission(word: string): Permission | undefined {
  return [...WORDS].find(([, known]) => known === word)?.[0];
}

const WORDS: ReadonlyMap<Permission, string> = new Map(
  Object.entries(Permission)
    .filter(([, permission]) => permission !== Permission.UNSPECIFIED)
    .map(([name, permission]) => [permission, name.toLowerCase().replaceAll('_', '.')]),
);

function isRole(role: Role): boolean {
  return role === Role.OPERATOR || role === Role.ADMIN || role === Role.OWNER;
}
