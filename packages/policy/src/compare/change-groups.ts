import type { DecisionKind } from '@palyra/protocol';
import type { PolicyRequest } from '../model.ts';
import type { RecordedDecision } from './recorded-decision.ts';
import type { ChangedDecisions } from './report.ts';

export const MAX_GROUPS = 1_000;
const MAX_EXAMPLES = 3;

export interface ChangedDecision {
  readonly recorded: RecordedDecision;
  readonly asked: PolicyRequest;
  readonly before: DecisionKind;
  readonly after: DecisionKind;
  /** More is allowed, or as much for less approval; otherwise less is. */
  readonly widened: boolean;
  readonly ruleIds: readonly string[];
}

interface Group {
  readonly said: Omit<ChangedDecisions, 'count' | 'examples'>;
  readonly examples: string[];
  count: number;
}

/** Changed decisions, those that are alike counted together. */
export class ChangeGroups {
  readonly #groups = new Map<string, Group>();
  #widened = 0;
  #narrowed = 0;
  #others = 0;

  add(changed: ChangedDecision): void {
    const group = this.#groupOf(changed);
    if (changed.widened) this.#widened += 1;
    else this.#narrowed += 1;
    if (group === undefined) {
      this.#others += 1;
      return;
    }
    group.count += 1;
    if (group.examples.length < MAX_EXAMPLES) group.examples.push(changed.recorded.entryId);
  }

  summary() {
    const groups = [...this.#groups.values()].toSorted((left, right) => right.count - left.count);
    return {
      widened: BigInt(this.#widened),
      narrowed: BigInt(this.#narrowed),
      others: BigInt(this.#others),
      changes: groups.map(({ said, count, examples }) => ({
        ...said,
        count: BigInt(count),
        examples: [...examples],
      })),
    };
  }

  /** `undefined` when it would be one too many. */
  #groupOf({ asked, before, after, widened, ruleIds }: ChangedDecision): Group | undefined {
    const tool = asked.resource.id;
    const principal = `${asked.principal.type.toLowerCase()}:${asked.principal.id}`;
    const key = JSON.stringify([tool, principal, before, after, widened, ruleIds]);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    if (this.#groups.size >= MAX_GROUPS) return undefined;
    const group = {
      said: { tool, principal, before, after, ruleIds, widened },
      examples: [],
      count: 0,
    };
    this.#groups.set(key, group);
    return group;
  }
}
