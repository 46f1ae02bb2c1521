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
import { requestKeyFor } from './request-key.ts';

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
    const { before, after } = this.#compare(recorded, recorded.asked);
    if (after.isUnfit) {
      this.#unjudged += 1;
      return;
    }
    const change = changeBetween(before, after);
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
   * with it, what counts is whether somebody would have been asked, and for how much.
   */
  #compare(recorded: RecordedDecision, asked: PolicyRequest) {
    const before = saidBefore(recorded, asked);
    const after = this.#ask(asked);
    const isAllowed = recorded.kind === DecisionKind.ALLOW && after.kind === DecisionKind.ALLOW;
    if (!isAllowed || !isApproved(asked)) return { before, after };
    const { approval: _, ...context } = asked.context;
    const alone = this.#ask({ ...asked, context });
    // It would be denied by what an approval of other terms than its gates' lifts.
    if (alone.kind === DecisionKind.DENY) return { before, after };
    const demand = recorded.demand ?? demandMet(asked);
    return { before: { kind: DecisionKind.NEEDS_APPROVAL, demand }, after: alone };
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

function changeBetween(before: SaidBefore, after: Said): 'none' | 'widened' | 'narrowed' {
  const more = rankOf(after.kind) - rankOf(before.kind);
  if (more !== 0) return more > 0 ? 'widened' : 'narrowed';
  if (after.kind !== DecisionKind.NEEDS_APPROVAL || before.demand === undefined) return 'none';
  return demandsAtLeast(after.demand, before.demand) ? 'none' : 'widened';
}

function isApproved({ context }: PolicyRequest): boolean {
  return Object.hasOwn(context, 'approval');
}
