import { backtest } from '../src/compare/backtest.ts';
import { loadCedar } from '../src/engine/cedar.ts';
import { decide } from '../src/engine/decide.ts';
import { createDecider } from '../src/engine/decider.ts';
import { createEngine } from '../src/engine/engine.ts';
import type { PolicyDecision, PolicyRequest, RuleSet } from '../src/model.ts';
import { type CallWish, entryAt } from './calls.ts';

/** What decides in the daemon, and the same without its memory. */
export interface Judges {
  readonly remembering: (request: PolicyRequest) => PolicyDecision;
  readonly fresh: (request: PolicyRequest) => PolicyDecision;
}

export async function judgesFor(set: RuleSet): Promise<Judges> {
  const loaded = await createEngine().load(set, 'active');
  const decider = createDecider();
  decider.use(loaded);
  return {
    remembering: (request) => decider.decide(request),
    fresh: (request) => decide(loaded, request),
  };
}

/** Cedar itself, given what we give it, and nothing done with the answer. */
export async function bareCedar(set: RuleSet): Promise<(request: PolicyRequest) => boolean> {
  const cedar = await loadCedar();
  const name = `bare ${set.hash}`;
  const policies = Object.fromEntries(set.rules.map(({ id, json }) => [id, json]));
  cedar.preparseSchema(name, set.schema);
  cedar.preparsePolicySet(name, { staticPolicies: policies });
  return ({ principal, action, resource, context, entities }) => {
    const answer = cedar.statefulIsAuthorized({
      principal: { ...principal },
      action: { type: 'Action', id: action },
      resource: { ...resource },
      context,
      entities: entities.map((entity) => ({ ...entity, parents: [...entity.parents] })),
      preparsedPolicySetId: name,
      preparsedSchemaName: name,
      validateRequest: true,
    });
    return answer.type === 'success' && answer.response.decision === 'allow';
  };
}

const PAGE_ENTRIES = 1_000;

/** Decides so many recorded calls again. Contract: throws when any of them comes out otherwise. */
export async function backtestAll(set: RuleSet, rows: readonly Uint8Array[]): Promise<void> {
  const journal = {
    read: async function* pages() {
      for (let from = 0; from < rows.length; from += PAGE_ENTRIES) {
        const decisions = rows.slice(from, from + PAGE_ENTRIES).map((canonical) => ({ canonical }));
        yield { entries: decisions.length, decisions };
        await Promise.resolve();
      }
    },
  };
  let unchanged = 0n;
  for await (const { report } of backtest({ set, journal }, new AbortController().signal)) {
    unchanged = report?.unchanged ?? unchanged;
  }
  if (unchanged !== BigInt(rows.length))
    throw new Error(`${unchanged} of ${rows.length} unchanged`);
}

export function recordedCalls(
  count: number,
  wish: (at: number) => CallWish,
): readonly Uint8Array[] {
  return Array.from({ length: count }, (_, at) => entryAt(wish(at)));
}
