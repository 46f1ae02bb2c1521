import { isJsonObject } from '@palyra/kernel';
import { DecisionKind, Role } from '@palyra/protocol';
import { decide } from '../engine/decide.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { PolicyRequest } from '../model.ts';
import { demandOf, rankOf } from './answer.ts';
import { ChangeGroups } from './change-groups.ts';
import { type Demand, demandsAtLeast } from './demand.ts';
import { type RecordedDecision, readDecision } from './recorded-decision.ts';
import type { BacktestReport } from './report.ts';
import { requestKeyFor } from '../engine/request-key.ts';

/** Decides recorded calls again under a candidate, and counts what would have been otherwise. */
export interface Tally {
  /** Contract: takes the canonical text of any entry; only `tool.decided` ones count. */
  add(line: string): void;
  /** How many requests were put to the candidate so far. */
  decided(): number;
  report(): BacktestReport;
}

export function createTally(candidate: LoadedSet): Tally {
  return new CandidateTally(candidate);
}

/** Of answers that are remembered; a request takes a few kilobytes as text. */
const MAX_REMEMBERED = 4_096;

interface Said {
  readonly kind: DecisionKind;
  /** Of its gates, when it asks. */
  readonly demand: Demand;
  readonly ruleIds: readonly string[];
  /** It was of another schema, such as one of before an attribute was asked for. */
  readonly isUnfit: boolean;
}

/** What the rules of its day said to a call; a demand that is not on record is compared with none. */
interface SaidBefore {
  readonly kind: DecisionKind;
  readonly demand: Demand | undefined;
}

interface Comparison {
  readonly before: SaidBefore;
  readonly after: Said;
  /** It was approved, and that would no longer do. */
  readonly isShort: boolean;
}

class CandidateTally implements Tally {
  readonly #candidate: LoadedSet;
  readonly #keyOf: (request: PolicyRequest) => string;
  readonly #remembered = new Map<string, Said>();
  readonly #groups = new ChangeGroups();
  #calls = 0;
  #unchanged = 0;
  #skipped = 0;
  #unjudged = 0;

  constructor(candidate: LoadedSet) {
    this.#candidate = candidate;
    const { rules } = candidate.set;
    this.#keyOf = requestKeyFor(rules);
  }

  add(line: string): void {
    const recorded = readDecision(line);
    if (recorded === undefined) return;
    this.#calls += 1;
    if (recorded.asked === undefined || recorded.kind === DecisionKind.UNSPECIFIED) {
      this.#skipped += 1;
      return;
    }
    const { before, after, isShort } = this.#compare(recorded, recorded.asked);
    if (after.isUnfit) {
      this.#unjudged += 1;
      return;
    }
    const change = changeBetween(before, after, isShort ? 'narrowed' : 'none');
    if (change === 'none') {
      this.#unchanged += 1;
      return;
    }
    this.#groups.add({
      recorded,
      asked: recorded.asked,
      before: before.kind,
      after: after.kind,
      widened: change === 'widened',
      ruleIds: after.ruleIds,
    });
  }

  decided(): number {
    return this.#calls - this.#skipped;
  }

  report(): BacktestReport {
    const { widened, narrowed, changes, others } = this.#groups.summary();
    return {
      candidateHash: this.#candidate.set.hash,
      calls: BigInt(this.#calls),
      unchanged: BigInt(this.#unchanged),
      widened,
      narrowed,
      skipped: BigInt(this.#skipped),
      unjudged: BigInt(this.#unjudged),
      changes,
      others,
    };
  }

  /**
   * Like with like: a call that a person approved is asked about with that approval. When it is allowed
   * with it, what counts is whether somebody would have been asked, and for how much. When it is not, the
   * approval that it had may be too little, and another one is asked for.
   */
  #compare(recorded: RecordedDecision, asked: PolicyRequest): Comparison {
    const before = saidBefore(recorded, asked);
    const after = this.#ask(asked);
    const compared = { before, after, isShort: false };
    if (recorded.kind !== DecisionKind.ALLOW || !isApproved(asked)) return compared;
    const { approval: _, ...context } = asked.context;
    const alone = this.#ask({ ...asked, context });
    // It would be denied by what an approval of other terms than its gates' lifts.
    if (alone.kind === DecisionKind.DENY) return compared;
    const isShort = after.kind !== DecisionKind.ALLOW;
    if (isShort && alone.kind !== DecisionKind.NEEDS_APPROVAL) return compared;
    const demand = recorded.demand ?? demandMet(asked);
    return { before: { kind: DecisionKind.NEEDS_APPROVAL, demand }, after: alone, isShort };
  }

  #ask(request: PolicyRequest): Said {
    const key = this.#keyOf(request);
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const { kind, rules, gates, fault } = decide(this.#candidate, request);
    const ruleIds = rules.map(({ id }) => id);
    const said = { kind, demand: demandOf(gates), ruleIds, isUnfit: fault === 'unfit' };
    // What took too long is denied for this very call alone: the next one of its kind may be quicker.
    if (fault === 'slow') return said;
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(key, said);
    return said;
  }
}

/**
 * A refusal of a person, or of nobody in time, is on record with the gates that asked. Of any other
 * refusal the record does not tell whether the rules or the end of the run made it, and what a rule of
 * the same name does in the candidate tells nothing about that day: it counts as the rules' own, so that
 * no widening is missed. That a call is unattended is only ever found out of one that is allowed.
 */
function saidBefore(recorded: RecordedDecision, asked: PolicyRequest): SaidBefore {
  const { kind, isGated, demand } = recorded;
  if (kind !== DecisionKind.DENY || isApproved(asked)) return { kind, demand };
  if (isGated) return { kind: DecisionKind.NEEDS_APPROVAL, demand };
  return { kind: asked.context['unattended'] === true ? DecisionKind.ALLOW : kind, demand };
}

/** Somebody with more rights than are asked for may say yes, but no more people are asked than needed. */
function demandMet({ context }: PolicyRequest): Demand | undefined {
  const { approval } = context;
  const count = isJsonObject(approval) ? approval['count'] : undefined;
  if (typeof count !== 'number') return undefined;
  return { approvers: Role.UNSPECIFIED, quorum: count, strength: 'device' };
}

type Change = 'none' | 'widened' | 'narrowed';

/** `otherwise`: where both ask, and the second for as much at least. */
function changeBetween(before: SaidBefore, after: Said, otherwise: Change): Change {
  const more = rankOf(after.kind) - rankOf(before.kind);
  if (more !== 0) return more > 0 ? 'widened' : 'narrowed';
  if (after.kind !== DecisionKind.NEEDS_APPROVAL || before.demand === undefined) return otherwise;
  return demandsAtLeast(after.demand, before.demand) ? otherwise : 'widened';
}

function isApproved({ context }: PolicyRequest): boolean {
  return Object.hasOwn(context, 'approval');
}
