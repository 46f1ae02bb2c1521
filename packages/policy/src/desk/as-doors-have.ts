import { permissionWord } from '@palyra/kernel';
import { DecisionKind, type Permission, type PolicyExplanation } from '@palyra/protocol';
import type { PolicyCaller } from './authoriser.ts';

/** The doors look at the role, or at the scopes of a token, before the rules: these only take away. */
export function asDoorsHave(
  told: PolicyExplanation,
  { principal, permissions }: PolicyCaller,
  permission: Permission,
): PolicyExplanation {
  if (permissions.has(permission)) return told;
  const word = permissionWord(permission);
  const reason = `\`${principal}\` lacks the permission \`${word}\`, and no rule gives one`;
  // Rules that allow it, and a rule that would, allow nothing here.
  const rules = told.kind === DecisionKind.ALLOW ? [] : told.rules;
  const offer = { smallestRule: '', smallestRuleEffect: '' };
  return { ...told, ...offer, kind: DecisionKind.DENY, reason, help: ROLES_HELP, rules };
}

export const ROLES_HELP =
  'a role brings permissions: `palyra access members role`; a token has its scopes';
