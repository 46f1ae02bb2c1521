import { isForPeopleOnly, parsePermission, permissionWord, permissionsOf } from '@palyra/kernel';
import { PrincipalKind, Role } from '@palyra/protocol';
import type { PolicyEntity, Rule, RuleSet } from '../model.ts';
import { permissionFor } from '../request/matter.ts';
import type { Who } from '../request/principal.ts';
import { reference, rolesUpTo } from '../request/words.ts';
import { WORKSPACE_OPEN, WORKSPACE_PERMISSION } from '../request/workspace.ts';
import { type Conjunct, conjunctsOf, pathOf } from './expression.ts';
import { entityOf, literalOf } from './literal.ts';
import { actionsOf, scopesOf } from './scope.ts';

/**
 * Whether somebody can have the permission of an action at all. What is asked of the gateway has to be
 * allowed by their role, and for a token by its scopes, whatever the rules say.
 */
export function mayHold(
  { kind, role, scopes }: Pick<Who, 'kind' | 'role' | 'scopes'>,
  action: string,
): boolean {
  const permission = permissionFor(action);
  if (permission === undefined) return true;
  if (!permissionsOf(role).has(permission)) return false;
  if (kind === PrincipalKind.USER) return true;
  const isInScope = scopes.includes(permissionWord(permission));
  return kind === PrincipalKind.TOKEN && !isForPeopleOnly(permission) && isInScope;
}

/**
 * Whether a permit is about permissions only, and whoever can hold one of them is let use it by a
 * permit without conditions of that set: then it gives nobody anything.
 */
export function heldAnyway(set: RuleSet): (rule: Rule) => boolean {
  const isAbout = scopesOf(set.schema, { following: 'included' });
  const plain = set.rules.filter(isForAllAlike);
  return (rule) => {
    const type = typeIn(rule);
    return [...actionsOf([rule], set.schema)].every((action) =>
      holdersOf(action)?.every((holder) => {
        if (type !== undefined && type !== holder.uid.type) return true;
        const resource = action === WORKSPACE_OPEN ? ANY_FOLDER : GATEWAY;
        const asked = { principal: holder.uid, action, resource, entities: [holder] };
        return plain.some((permit) => isAbout(permit, asked));
      }),
    );
  };
}

const GATEWAY = reference('Gateway', 'gateway');
/** No rule that is for all alike names a folder. */
const ANY_FOLDER = reference('Workspace', '/unnamed');

/** One of each kind and role; `undefined` where more than a permission counts. */
function holdersOf(action: string): readonly PolicyEntity[] | undefined {
  const permission = action === WORKSPACE_OPEN ? WORKSPACE_PERMISSION : parsePermission(action);
  if (permission === undefined) return undefined;
  const types = isForPeopleOnly(permission) ? ['User'] : ['User', 'Token'];
  const roles = [Role.OPERATOR, Role.ADMIN, Role.OWNER].filter((role) =>
    permissionsOf(role).has(permission),
  );
  return types.flatMap((type) =>
    roles.map((role) => ({
      uid: reference(type, 'unnamed'),
      attrs: {},
      parents: rolesUpTo(role).map((word) => reference('Role', word)),
    })),
  );
}

/** It names nobody and no folder, so whom it lets through it lets all of their kind and role. */
function isForAllAlike({ effect, json }: Rule): boolean {
  const { principal, action, resource, conditions } = json;
  if (effect !== 'permit' || principal.op === '==' || resource.op === '==') return false;
  if (conditions.length === 0) return true;
  const isOfFolders =
    action.op === '==' && 'entity' in action && entityOf(action.entity)?.id === WORKSPACE_OPEN;
  return isOfFolders && conjunctsOf(conditions).every(isScopeOfFolders);
}

/** Which every token has that gets as far as to be asked where it wants to work. */
function isScopeOfFolders({ expression: { op, args }, wants }: Conjunct): boolean {
  const [set, one] = args;
  if (!wants || op !== 'contains' || set === undefined || one === undefined) return false;
  const isNeeded =
    pathOf(one)?.join('.') === 'context.permission' || literalOf(one) === FOLDER_SCOPE;
  return pathOf(set)?.join('.') === 'principal.scopes' && isNeeded;
}

const FOLDER_SCOPE = permissionWord(WORKSPACE_PERMISSION);

/** Of which type they must be whom a rule is about. */
function typeIn({ json: { principal } }: Rule): string | undefined {
  if (principal.op === 'is') return principal.entity_type;
  if (principal.op !== '==' || !('entity' in principal)) return undefined;
  return entityOf(principal.entity)?.type;
}
