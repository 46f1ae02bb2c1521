import { ApprovalStatus, type ApprovalVoice, Role } from '@palyra/protocol';
import type { Approver, PeoplePort } from './ports.ts';

/**
 * Those who said yes, with the role that they have now, or had then, whichever is less: whoever has
 * lost it since does not count any more.
 */
export async function approversOf(
  voices: readonly ApprovalVoice[],
  people: PeoplePort,
): Promise<readonly Approver[]> {
  const yes = voices.filter(({ answer }) => answer === ApprovalStatus.GRANTED);
  const now = await Promise.all(
    yes.map(async ({ principal, role, strength, vouchedBy }) => ({
      principal,
      vouchedBy,
      role: lesser(role, await people.roleOf(principal)),
      strength: strength === 'passkey' ? ('passkey' as const) : ('device' as const),
    })),
  );
  return now.filter(({ role }) => role !== Role.UNSPECIFIED);
}

function lesser(one: Role, other: Role): Role {
  return one < other ? one : other;
}
