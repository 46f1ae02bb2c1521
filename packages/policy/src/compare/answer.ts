import { DecisionKind, Role } from '@palyra/protocol';
import type { PolicyDecision, Rule } from '../model.ts';
import { type Demand, demandsAtLeast, highestDemand } from './demand.ts';
import type { ProbedSituation } from './probed-situation.ts';

/** What two sets say in a situation. */
export interface Answer {
  readonly situation: ProbedSituation;
  readonly before: Said;
  readonly after: Said;
}

export interface Said extends Pick<PolicyDecision, 'kind' | 'rules' | 'gates'> {
  /** That let it through, or would once it is approved. */
  readonly permits: readonly Rule[];
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

type Decided = Pick<PolicyDecision, 'kind' | 'gates'>;

interface Kinds {
  readonly before: Decided;
  readonly after: Decided;
}

/** More is allowed, or as much for less approval. */
export function isWider({ before, after }: Kinds): boolean {
  const more = rankOf(after.kind) - rankOf(before.kind);
  if (more !== 0) return more > 0;
  if (after.kind !== DecisionKind.NEEDS_APPROVAL) return false;
  return !demandsAtLeast(demandOf(after.gates), demandOf(before.gates));
}

/** What all of these gates together ask for. */
export function demandOf(gates: readonly Rule[]): Demand {
  const terms = gates.flatMap(({ gate }) => (gate === undefined ? [] : [gate]));
  return highestDemand(terms) ?? NOTHING;
}

const NOTHING: Demand = { approvers: Role.UNSPECIFIED, quorum: 0, strength: 'device' };

/** Rules that one set has and the other has not, in what they mean. */
export interface Changed {
  readonly gone: ReadonlySet<Rule>;
  readonly come: ReadonlySet<Rule>;
  /** Gates that ask otherwise than before, and what that is called. */
  readonly altered: { readonly gates: ReadonlySet<string>; readonly word: string };
}

/**
 * The rules that make the difference. A permit that changed is not blamed for what the end of a
 * forbid explains: it may allow something else that no question was about.
 */
export function causesOf({ before, after }: Answer, { gone, come }: Changed): readonly Rule[] {
  const lost = before.rules.filter((rule) => gone.has(rule));
  const gained = after.permits.filter((rule) => come.has(rule));
  if (lost.length === 0) return gained;
  const isNeeded = gained.length === after.permits.length;
  const isChanged = ({ id }: Rule) => [...gone].some((other) => other.id === id);
  return [...lost, ...(isNeeded ? gained.filter((rule) => !isChanged(rule)) : [])];
}
