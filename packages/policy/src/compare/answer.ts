import { DecisionKind, Role } from '@palyra/protocol';
import { type GateTerms, type PolicyDecision, type Rule, STRENGTHS } from '../model.ts';
import type { Question } from './questions.ts';
import { demandsAtLeast } from './suspects.ts';

/** A question, and what two sets say to it. */
export interface Answer {
  readonly question: Question;
  readonly before: PolicyDecision;
  readonly after: PolicyDecision;
}

const RANKS: ReadonlyMap<DecisionKind, number> = new Map([
  [DecisionKind.DENY, 0],
  [DecisionKind.NEEDS_APPROVAL, 1],
  [DecisionKind.ALLOW, 2],
]);

/** How much is allowed; less than everything known for what is not known. */
export function rankOf(kind: DecisionKind): number {
  return RANKS.get(kind) ?? 0;
}

/** More is allowed, or as much for less approval. */
export function isWider({ before, after }: Pick<Answer, 'before' | 'after'>): boolean {
  const more = rankOf(after.kind) - rankOf(before.kind);
  if (more !== 0) return more > 0;
  if (after.kind !== DecisionKind.NEEDS_APPROVAL) return false;
  return !demandsAtLeast(demandOf(after.gates), demandOf(before.gates));
}

/** What all of these gates together ask for. */
function demandOf(gates: readonly Rule[]): GateTerms {
  const terms = gates.flatMap(({ gate }) => (gate === undefined ? [] : [gate]));
  const strongest = Math.max(0, ...terms.map(({ strength }) => STRENGTHS.indexOf(strength)));
  return {
    severity: 'medium',
    approvers: terms.map(({ approvers }) => approvers).reduce(higher, Role.UNSPECIFIED),
    quorum: Math.max(0, ...terms.map(({ quorum }) => quorum)),
    strength: STRENGTHS[strongest] ?? 'device',
    waitSeconds: 0,
  };
}

function higher(one: Role, other: Role): Role {
  return one > other ? one : other;
}

/** Rules that one set has and the other has not, in what they mean. */
export interface Changed {
  readonly gone: ReadonlySet<string>;
  readonly come: ReadonlySet<string>;
}

/**
 * The rules that make the difference. A permit that changed is not blamed for what the end of a
 * forbid explains: it may allow something else that no question was about.
 */
export function causesOf({ before, after }: Answer, { gone, come }: Changed): readonly string[] {
  const lost = before.rules.map(({ id }) => id).filter((id) => gone.has(id));
  const permits = after.rules.filter(({ effect }) => effect === 'permit').map(({ id }) => id);
  const gained = permits.filter((id) => come.has(id));
  if (lost.length === 0) return gained;
  const isNeeded = gained.length === permits.length;
  return [...lost, ...(isNeeded ? gained.filter((id) => !gone.has(id)) : [])];
}
