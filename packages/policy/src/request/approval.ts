import { couldBeOne, groupsOfOne } from '@palyra/kernel';
import { Role } from '@palyra/protocol';
import { STRENGTHS, type Strength } from '../model.ts';
import { references, rolesUpTo, sortedSet } from './words.ts';

export interface ApprovalGiven {
  readonly approvers: readonly Approver[];
}

export interface Approver {
  /** `user:01J…` */
  readonly principal: string;
  readonly role: Role;
  readonly strength: Strength;
  /** People who could have said it in their place; absent where there is nobody. */
  readonly vouchedBy?: readonly string[];
}

/**
 * Contract: a person counts once, however often they said yes and through whomever, as the least that
 * they showed. Whoever has no role any more does not count. Whoever asked for it, `user:01J…`, is
 * among the approvers also where they could have said yes in somebody's place.
 */
export function approvalFacts({ approvers }: ApprovalGiven, asker = '') {
  const heard = approvers.filter(({ role }) => rolesUpTo(role).length > 0);
  const counted = groupsOfOne(heard).map((group) => group.reduce(lesser));
  const shown = STRENGTHS.filter(
    (strength) => counted.length > 0 && counted.every((approver) => hasShown(approver, strength)),
  );
  return {
    approvers: sortedSet([...heard.map(({ principal }) => principal), ...ownVoice(heard, asker)]),
    count: counted.length,
    admins: counted.filter(({ role }) => role >= Role.ADMIN).length,
    owners: counted.filter(({ role }) => role >= Role.OWNER).length,
    strengths: references('Strength', shown),
  };
}

function ownVoice(heard: readonly Approver[], asker: string): readonly string[] {
  if (asker === '') return [];
  return heard.some((each) => couldBeOne(each, { principal: asker })) ? [asker] : [];
}

function lesser(one: Approver, other: Approver): Approver {
  const role = one.role < other.role ? one.role : other.role;
  const strength = hasShown(one, other.strength) ? other.strength : one.strength;
  return { principal: one.principal, role, strength };
}

function hasShown(approver: Approver, strength: Strength): boolean {
  return STRENGTHS.indexOf(approver.strength) >= STRENGTHS.indexOf(strength);
}
