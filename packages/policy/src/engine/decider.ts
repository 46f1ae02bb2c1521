import { PalyraError } from '@palyra/kernel';
import { requestKeyFor } from '../compare/request-key.ts';
import type { PolicyDecision, PolicyRequest } from '../model.ts';
import { checkRequest } from '../request/check-request.ts';
import { type Settled, attendedRequest, decisionOf, refusal, settle, unfit } from './decide.ts';
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
  let inForce: InForce | undefined;
  return {
    get setHash() {
      return inForce?.loaded.set.hash ?? '';
    },
    use: (loaded) => {
      inForce = { loaded, keyOf: requestKeyFor(loaded.set.rules) };
      cache.clear();
    },
    decide: (request) => {
      if (inForce === undefined) return refusal(['no set of rules is in force'], request, '');
      return decideWith(inForce, request, cache);
    },
  };
}

interface InForce {
  readonly loaded: LoadedSet;
  /** Equal for what its rules cannot tell apart: most say nothing about one run, or one minute. */
  readonly keyOf: (request: PolicyRequest) => string;
}

function decideWith(
  { loaded, keyOf }: InForce,
  request: PolicyRequest,
  cache: DecisionCache,
): PolicyDecision {
  const { hash } = loaded.set;
  // First: what json cannot say would share its text, and so its answer, with something else.
  const problem = checkRequest(request);
  if (problem !== undefined) return unfit(problem, request, hash);
  try {
    const attended = attendedRequest(request);
    const key = keyOf(attended);
    const settled = cache.get(key) ?? settleAnew({ loaded, key, cache }, attended);
    return decisionOf(settled, attended, hash);
  } catch (reason) {
    return refusal([PalyraError.from(reason).message], request, hash);
  }
}

interface Unknown {
  readonly loaded: LoadedSet;
  readonly key: string;
  readonly cache: DecisionCache;
}

/** What took too long is denied for this very call alone: the next one of its kind may be quicker. */
function settleAnew({ loaded, key, cache }: Unknown, request: PolicyRequest): Settled {
  const exact = JSON.stringify(request);
  const known = cache.get(exact);
  if (known !== undefined) return known;
  const settled = settle(loaded, request);
  cache.add(settled.fault === 'slow' ? exact : key, settled);
  return settled;
}
