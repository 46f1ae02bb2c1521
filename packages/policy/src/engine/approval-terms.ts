import { Role } from '@palyra/protocol';
import type { GateTerms, Rule } from '../model.ts';
import { approvalFacts } from '../request/approval.ts';

/** What decides whether an approval suffices. */
export type ApprovalTerms = Pick<GateTerms, 'approvers' | 'quorum' | 'strength'>;

/** No gate can ask for more. */
export const UTMOST_TERMS: ApprovalTerms = {
  approvers: Role.OWNER,
  quorum: 9,
  strength: 'passkey',
};

/** Each once. */
export function termsOf(gates: readonly Rule[]): readonly ApprovalTerms[] {
  const terms = gates.map(({ gate }) => gate).filter((gate) => gate !== undefined);
  return terms.filter((term, place) => place === terms.findIndex((other) => isSame(term, other)));
}

export function asksFor({ gate }: Rule, terms: ApprovalTerms): boolean {
  return gate !== undefined && isSame(gate, terms);
}

/** The approval that is asked for, as if it had been given, by nobody whom a rule could name. */
export function approvalOn({ approvers: role, quorum, strength }: ApprovalTerms) {
  const approvers = Array.from({ length: quorum }, (_, place) => ({
    principal: `approver:${place + 1}`,
    role,
    strength,
  }));
  return approvalFacts({ approvers });
}

function isSame(one: ApprovalTerms, other: ApprovalTerms): boolean {
  const { approvers, quorum, strength } = one;
  return approvers === other.approvers && quorum === other.quorum && strength === other.strength;
}
