import type { AuthorizationAnswer, DetailedError } from '@cedar-policy/cedar-wasm/nodejs';
import { PalyraError, visibleText } from '@palyra/kernel';
import type { PolicyRequest, RuleSet } from '../model.ts';
import { checkRequest } from '../request/check-request.ts';
import type { Cedar } from './cedar.ts';
import type { Place } from './slots.ts';

/** A set that Cedar holds ready. */
export interface LoadedSet {
  readonly set: RuleSet;
  /**
   * Contract: never throws for any request: what cannot be decided is denied. Throws CONFLICT once
   * another set was loaded in its place, because then it would answer with the rules of that one.
   */
  evaluate(request: PolicyRequest): Evaluation;
}

export interface Evaluation {
  /** INVARIANT: `allow` only without errors. Cedar leaves a forbid out that it cannot evaluate. */
  readonly decision: 'allow' | 'deny';
  /** That decided, or that could not be evaluated. */
  readonly ruleIds: readonly string[];
  readonly errors: readonly string[];
}

export interface LoadedPlace {
  readonly cedar: Cedar;
  readonly place: Place;
  readonly schemaName: string;
  readonly holder: symbol;
}

export function loadedSet(set: RuleSet, loaded: LoadedPlace): LoadedSet {
  return {
    set,
    evaluate: (request) => {
      if (loaded.place.holder !== loaded.holder) throw placeTaken();
      const problem = checkRequest(request);
      return problem === undefined ? ask(request, loaded) : refused([problem]);
    },
  };
}

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
  if (answer.type === 'failure') return refused(answer.errors.map(describe));
  const { decision, diagnostics } = answer.response;
  if (diagnostics.errors.length === 0) {
    return { decision, ruleIds: diagnostics.reason, errors: [] };
  }
  const failed = diagnostics.errors.map(({ policyId }) => policyId);
  const deciding = decision === 'deny' ? diagnostics.reason : [];
  const errors = diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${describe(error)}`);
  return { ...refused(errors), ruleIds: [...new Set([...deciding, ...failed])] };
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
