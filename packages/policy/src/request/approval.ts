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
}

/**
 * Contract: a person counts once, however often they said yes, as the least that they showed.
 * Whoever has no role any more does not count.
 */
export function approvalFacts({ approvers }: ApprovalGiven) {
  const counted = onePerPerson(approvers.filter(({ role }) => rolesUpTo(role).length > 0));
  const shown = STRENGTHS.filter(
    (strength) => counted.length > 0 && counted.every((approver) => hasShown(approver, strength)),
  );
  return {
    approvers: sortedSet(counted.map(({ principal }) => principal)),
    count: counted.length,
    admins: counted.filter(({ role }) => role >= Role.ADMIN).length,
    owners: counted.filter(({ role }) => role >= Role.OWNER).length,
    strengths: references('Strength', shown),
  };
}

function onePerPerson(approvers: readonly Approver[]): readonly Approver[] {
  const people = new Map<string, Approver>();
  for (const approver of approvers) {
    const known = people.get(approver.principal);
    people.set(approver.principal, known === undefined ? approver : lesser(known, approver));
  }
  return [...people.values()];
}

function lesser(one: Approver, other: Approver): Approver {
  const role = one.role < other.role ? one.role : other.role;
  const strength = hasShown(one, other.strength) ? other.strength : one.strength;
  return { principal: one.principal, role, strength };
}

function hasShown(approver: Approver, strength: Strength): boolean {
  return STRENGTHS.indexOf(approver.strength) >= STRENGTHS.indexOf(strength);
}
