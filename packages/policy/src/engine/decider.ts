import { PalyraError } from '@palyra/kernel';
import type { PolicyDecision, PolicyRequest } from '../model.ts';
import { checkRequest } from '../request/check-request.ts';
import { attendedRequest, decisionOf, refusal, settle, unfit } from './decide.ts';
import { DecisionCache } from './decision-cache.ts';
import type { LoadedSet } from './loaded-set.ts';

/** Decides with the set in force, and remembers. */
export interface Decider {
  /** From here on decisions are made with this set; what was decided before is forgotten. */
  use(loaded: LoadedSet): void;
  /** Empty before there is one. */
  readonly setHash: string;
  /** Contract: never throws; whatever goes wrong is a denial that says so. */
  decide(request: PolicyRequest): PolicyDecision;
}

export function createDecider(): Decider {
  const cache = new DecisionCache();
  let inForce: LoadedSet | undefined;
  return {
    get setHash() {
      return inForce?.set.hash ?? '';
    },
    use: (loaded) => {
      inForce = loaded;
      cache.clear();
    },
    decide: (request) => {
      if (inForce === undefined) return refusal(['no set of rules is in force'], request, '');
      return decideWith(inForce, request, cache);
    },
  };
}

function decideWith(
  loaded: LoadedSet,
  request: PolicyRequest,
  cache: DecisionCache,
): PolicyDecision {
  const { hash } = loaded.set;
  // First: what json cannot say would share its text, and so its answer, with something else.
  const problem = checkRequest(request);
  if (problem !== undefined) return unfit(problem, request, hash);
  try {
    const attended = attendedRequest(request);
    const key = JSON.stringify(attended);
    const known = cache.get(key);
    const settled = known ?? settle(loaded, attended);
    if (known === undefined) cache.add(key, settled);
    return decisionOf(settled, attended, hash);
  } catch (reason) {
    return refusal([PalyraError.from(reason).message], request, hash);
  }
}
