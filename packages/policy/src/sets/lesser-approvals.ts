import { Role } from '@palyra/protocol';
import type { GateTerms, Strength } from '../model.ts';
import type { Approver } from '../request/approval.ts';

/** As many as can be asked for: of people with lesser rights even these must not do. */
const MOST = 9;

type Demand = Pick<GateTerms, 'approvers' | 'quorum' | 'strength'>;

/**
 * Everything that is still too little: nobody, one person short, all with lesser rights, none proven
 * well enough. Whoever the rule names comes first among them.
 */
export function lesserThan(
  { approvers, quorum, strength }: Demand,
  names: readonly string[],
): readonly (readonly Approver[])[] {
  const few = Array.from({ length: quorum }, (_, count) => people(count, approvers));
  const fewOwners = people(quorum - 1, Role.OWNER);
  const lesser = rolesBelow(approvers).flatMap((role) => [
    people(quorum, role),
    people(MOST, role),
    [...fewOwners, ...people(MOST - quorum + 1, role)],
  ]);
  const weak = strength === 'device' ? [] : [people(quorum, approvers), people(MOST, Role.OWNER)];
  return [
    ...[...few, fewOwners, ...lesser].map((roles) => named(roles, 'passkey', names)),
    ...[...few, ...weak].map((roles) => named(roles, 'device', names)),
  ];
}

function rolesBelow(approvers: Role): readonly Role[] {
  return [Role.OPERATOR, Role.ADMIN].filter((role) => role < approvers);
}

function people(count: number, role: Role): readonly Role[] {
  return Array.from({ length: count }, () => role);
}

function named(
  roles: readonly Role[],
  strength: Strength,
  names: readonly string[],
): readonly Approver[] {
  return roles.map((role, place) => ({
    principal: names[place] ?? `approver:${place}`,
    role,
    strength,
  }));
}
