import { permissionWord } from '@palyra/kernel';
import { DecisionKind, type Permission, type PolicyExplanation } from '@palyra/protocol';
import type { PolicyCaller } from './authoriser.ts';

/** The doors look at the role, or at the scopes of a token, before the rules: these only take away. */
export function asDoorsHave(
  told: PolicyExplanation,
  { principal, permissions }: PolicyCaller,
  permission: Permission,
): PolicyExplanation {
  if (told.kind !== DecisionKind.ALLOW || permissions.has(permission)) return told;
  const word = permissionWord(permission);
  const reason = `\`${principal}\` lacks the permission \`${word}\`, and no rule gives one`;
  const help = 'a role brings permissions: `palyra access members role`; a token has its scopes';
  return { ...told, kind: DecisionKind.DENY, reason, help, rules: [] };
}
