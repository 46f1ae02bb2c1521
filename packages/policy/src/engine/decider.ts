import { PalyraError } from '@palyra/kernel';
import type { PolicyDecision, PolicyRequest } from '../model.ts';
import { checkRequest } from '../request/check-request.ts';
import { type Settled, attendedRequest, decisionOf, refusal, settle, unfit } from './decide.ts';
import { DecisionCache } from './decision-cache.ts';
import type { LoadedSet } from './loaded-set.ts';
import { requestKeyFor } from './request-key.ts';

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
  let inForce: InForce | undefined;
  return {
    get setHash() {
      return inForce?.loaded.set.hash ?? '';
    },
    use: (loaded) => {
      const keyOf = requestKeyFor(loaded.set.rules);
      inForce = { loaded, keyOf, cache: new DecisionCache() };
    },
    decide: (request) => {
      if (inForce === undefined) return refusal(['no set of rules is in force'], request, '');
      return decideWith(inForce, request);
    },
  };
}

interface InForce {
  readonly loaded: LoadedSet;
  readonly keyOf: (request: PolicyRequest) => string;
  /** What was decided with this set. */
  readonly cache: DecisionCache;
}

function decideWith(inForce: InForce, request: PolicyRequest): PolicyDecision {
  const { hash } = inForce.loaded.set;
  // First: what json cannot say would share its text, and so its answer, with something else.
  const problem = checkRequest(request);
  if (problem !== undefined) return unfit(problem, request, hash);
  try {
    const attended = attendedRequest(request);
    return decisionOf(settleOnce(inForce, attended), attended, hash);
  } catch (reason) {
    return refusal([PalyraError.from(reason).message], request, hash);
  }
}

function settleOnce({ loaded, keyOf, cache }: InForce, attended: PolicyRequest): Settled {
  const key = keyOf(attended);
  const known = cache.get(key);
  if (known !== undefined) return known;
  // What failed is kept for this very request alone: it may say what that holds, and fail for nobody else.
  const whole = JSON.stringify(attended);
  const failed = cache.get(whole);
  if (failed !== undefined) return failed;
  const settled = settle(loaded, attended);
  cache.add(isByRules(settled) ? key : whole, settled);
  return settled;
}

function isByRules({ errors, fault }: Settled): boolean {
  return errors.length === 0 && fault === undefined;
}
