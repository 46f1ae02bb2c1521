import type { AuthorizationAnswer, DetailedError } from '@cedar-policy/cedar-wasm/nodejs';
import { PalyraError, visibleText } from '@palyra/kernel';
import type { Fault, PolicyRequest, RuleSet } from '../model.ts';
import { checkRequest } from '../request/check-request.ts';
import type { Cedar } from './cedar.ts';
import type { Place } from './slots.ts';
import { MAX_EVALUATION_MS, type SlowEvaluation, type Stopwatch } from './stopwatch.ts';

/** A set that Cedar holds ready. */
export interface LoadedSet {
  readonly set: RuleSet;
  /**
   * Contract: never throws for any request: what cannot be decided is denied, and so is what took too
   * long. Cedar cannot be interrupted; the bounds of requests and rules are what ends it. Throws CONFLICT
   * once another set was loaded in its place, because then it would answer with the rules of that one.
   */
  evaluate(request: PolicyRequest): Evaluation;
}

export interface Evaluation {
  /** INVARIANT: `allow` only without errors. Cedar leaves a forbid out that it cannot evaluate. */
  readonly decision: 'allow' | 'deny';
  /** That decided, or that could not be evaluated. */
  readonly ruleIds: readonly string[];
  readonly errors: readonly string[];
  readonly fault?: Fault;
}

export interface LoadedPlace {
  readonly cedar: Cedar;
  readonly place: Place;
  readonly schemaName: string;
  readonly holder: symbol;
  readonly stopwatch: Stopwatch;
  readonly tellSlow: (slow: SlowEvaluation) => void;
}

export function loadedSet(set: RuleSet, loaded: LoadedPlace): LoadedSet {
  return {
    set,
    evaluate: (request) => {
      if (loaded.place.holder !== loaded.holder) throw placeTaken();
      const problem = checkRequest(request);
      if (problem !== undefined) return unfit([problem]);
      const begun = loaded.stopwatch();
      const evaluation = ask(request, loaded);
      const tookMs = loaded.stopwatch() - begun;
      if (tookMs <= MAX_EVALUATION_MS) return evaluation;
      const { action, resource } = request;
      loaded.tellSlow({ policySetHash: set.hash, action, resource: resource.id, tookMs });
      return TOO_SLOW;
    },
  };
}

/** Whatever they said: who makes rules slow must not gain by it, and is to be found out. */
const TOO_SLOW: Evaluation = {
  decision: 'deny',
  ruleIds: [],
  errors: [`the rules took longer than ${MAX_EVALUATION_MS} ms`],
  fault: 'slow',
};

function placeTaken(): PalyraError {
  return new PalyraError('CONFLICT', 'another set of rules was loaded in the place of this one');
}

function ask(request: PolicyRequest, { cedar, place, schemaName }: LoadedPlace): Evaluation {
  try {
    return evaluationOf(
      cedar.statefulIsAuthorized({
        principal: { ...request.principal },
        action: { type: 'Action', id: request.action },
        resource: { ...request.resource },
        context: request.context,
        entities: request.entities.map((entity) => ({ ...entity, parents: [...entity.parents] })),
        preparsedPolicySetId: place.id,
        preparsedSchemaName: schemaName,
        validateRequest: true,
      }),
    );
  } catch (reason) {
    // Cedar throws for a request without a part that it must have, and when it breaks down.
    return refused([describe(reason)]);
  }
}

function evaluationOf(answer: AuthorizationAnswer): Evaluation {
  if (answer.type === 'failure') return unfit(answer.errors.map(describe));
  const { decision, diagnostics } = answer.response;
  if (diagnostics.errors.length === 0) {
    return { decision, ruleIds: diagnostics.reason, errors: [] };
  }
  const failed = diagnostics.errors.map(({ policyId }) => policyId);
  const deciding = decision === 'deny' ? diagnostics.reason : [];
  const errors = diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${describe(error)}`);
  return { ...refused(errors), ruleIds: [...new Set([...deciding, ...failed])] };
}

/** No rule was asked. */
function unfit(problems: readonly string[]): Evaluation {
  return { ...refused(problems), fault: 'unfit' };
}

function refused(errors: readonly string[]): Evaluation {
  const stated = errors.length === 0 ? ['the engine gave no reason'] : errors;
  return { decision: 'deny', ruleIds: [], errors: stated.slice(0, MAX_ERRORS) };
}

const MAX_ERRORS = 16;
const MAX_ERROR_LENGTH = 500;

/** Cedar's messages repeat parts of the request, which are anybody's. */
function describe(reason: unknown): string {
  const message = isError(reason) ? reason.message : 'the engine broke down';
  return visibleText(message.slice(0, MAX_ERROR_LENGTH).toWellFormed(), 'one-line');
}

function isError(reason: unknown): reason is Pick<DetailedError, 'message'> {
  return (
    typeof reason === 'object' &&
    reason !== null &&
    'message' in reason &&
    typeof reason.message === 'string'
  );
}
