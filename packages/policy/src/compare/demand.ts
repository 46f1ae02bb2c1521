import { Role } from '@palyra/protocol';
import { type GateTerms, STRENGTHS } from '../model.ts';

/** What an approval has to be. How long somebody is waited for, and how grave it looks, is no part. */
export type Demand = Pick<GateTerms, 'approvers' | 'quorum' | 'strength'>;

export function demandsAtLeast(demand: Demand, than: Demand): boolean {
  return (
    demand.quorum >= than.quorum &&
    demand.approvers >= than.approvers &&
    STRENGTHS.indexOf(demand.strength) >= STRENGTHS.indexOf(than.strength)
  );
}

/** What all of these ask for together; `undefined` for none. */
export function highestDemand(demands: readonly Demand[]): Demand | undefined {
  if (demands.length === 0) return undefined;
  const strongest = Math.max(...demands.map(({ strength }) => STRENGTHS.indexOf(strength)));
  return {
    approvers: demands.map(({ approvers }) => approvers).reduce(higher, Role.UNSPECIFIED),
    quorum: Math.max(...demands.map(({ quorum }) => quorum)),
    strength: STRENGTHS[strongest] ?? 'device',
  };
}

function higher(one: Role, other: Role): Role {
  return one > other ? one : other;
}
