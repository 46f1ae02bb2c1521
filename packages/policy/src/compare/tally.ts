import { DecisionKind } from '@palyra/protocol';
import { decide } from '../engine/decide.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { PolicyRequest, Rule } from '../model.ts';
import { ChangeGroups } from './change-groups.ts';
import { mayFail } from './may-fail.ts';
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
  readonly ruleIds: readonly string[];
}

class CandidateTally implements Tally {
  readonly #candidate: LoadedSet;
  readonly #keyOf: (request: PolicyRequest) => string;
  readonly #surePermits: ReadonlySet<string>;
  readonly #remembered = new Map<string, Said>();
  readonly #groups = new ChangeGroups();
  #calls = 0;
  #unchanged = 0;
  #skipped = 0;

  constructor(candidate: LoadedSet) {
    this.#candidate = candidate;
    const { rules } = candidate.set;
    this.#keyOf = requestKeyFor(rules);
    this.#surePermits = new Set(rules.filter(isSurePermit).map(({ id }) => id));
  }

  add(line: string): void {
    const recorded = readDecision(line);
    if (recorded === undefined) return;
    this.#calls += 1;
    if (recorded.asked === undefined || recorded.kind === DecisionKind.UNSPECIFIED) {
      this.#skipped += 1;
      return;
    }
    const { before, after, ruleIds } = this.#compare(recorded, recorded.asked);
    if (before === after) this.#unchanged += 1;
    else this.#groups.add({ recorded, asked: recorded.asked, before, after, ruleIds });
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
      changes,
      others,
    };
  }

  /**
   * Like with like: a call that a person approved is asked about with that approval. When it would
   * also be allowed without, nobody would have been asked any more, which is the change to tell.
   */
  #compare(recorded: RecordedDecision, asked: PolicyRequest) {
    const before = this.#rulesSaid(recorded, asked);
    const said = this.#ask(asked);
    if (before === DecisionKind.ALLOW && said.kind === before && isApproved(asked)) {
      const { approval: _, ...context } = asked.context;
      const alone = this.#ask({ ...asked, context });
      if (alone.kind === DecisionKind.ALLOW) {
        return { before: DecisionKind.NEEDS_APPROVAL, after: alone.kind, ruleIds: alone.ruleIds };
      }
    }
    return { before, after: said.kind, ruleIds: said.ruleIds };
  }

  /** A refusal may have been a person's, or the end of the run: then the rules had said something else. */
  #rulesSaid({ kind, isGated, ruleIds }: RecordedDecision, asked: PolicyRequest): DecisionKind {
    if (kind !== DecisionKind.DENY || isApproved(asked)) return kind;
    if (isGated) return DecisionKind.NEEDS_APPROVAL;
    // No permit denies anything, unless it failed.
    const isPermitted = ruleIds.length > 0 && ruleIds.every((id) => this.#surePermits.has(id));
    return isPermitted ? DecisionKind.ALLOW : kind;
  }

  #ask(request: PolicyRequest): Said {
    const key = this.#keyOf(request);
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const { kind, rules } = decide(this.#candidate, request);
    const said = { kind, ruleIds: rules.map(({ id }) => id) };
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(key, said);
    return said;
  }
}

function isSurePermit(rule: Rule): boolean {
  return rule.effect === 'permit' && !mayFail(rule);
}

function isApproved({ context }: PolicyRequest): boolean {
  return Object.hasOwn(context, 'approval');
}
