import { ModelFailure, isForAnotherModel } from './failure.ts';
import type { ModelEvent } from './model-port.ts';

export interface Candidate {
  readonly name: string;
  reply(): AsyncIterable<ModelEvent>;
}

/**
 * Asks the models in order until one has answered.
 * Contract: whoever listens is told when it turns to the next, and it never does once a tool call was
 * said. When all have failed, the failure of the first is thrown, since that is the model that was
 * asked for; the others are named.
 */
export async function* withFailover(
  candidates: readonly Candidate[],
  onFailover: (failure: ModelFailure, next: string) => void,
): AsyncGenerator<ModelEvent, void, undefined> {
  const failures: ModelFailure[] = [];
  for (const [place, candidate] of candidates.entries()) {
    let hasCalled = false;
    try {
      for await (const event of candidate.reply()) {
        hasCalled ||= event.kind === 'tool-call';
        yield event;
      }
      return;
    } catch (error) {
      if (hasCalled || !(error instanceof ModelFailure)) throw error;
      failures.push(error);
      const next = candidates[place + 1];
      if (next === undefined || !isForAnotherModel(error.reason)) throw combined(failures);
      onFailover(error, next.name);
      yield { kind: 'asked-again', model: next.name, waitMs: 0, why: error.message };
    }
  }
}

function combined(failures: readonly ModelFailure[]): ModelFailure {
  const [first, ...others] = failures;
  if (first === undefined) return new ModelFailure('no-such-model', 'no model is configured');
  const last = others.at(-1);
  if (last === undefined) return first;
  // A refusal ends the search and is what the person has to hear.
  const told = isForAnotherModel(last.reason) ? first : last;
  return new ModelFailure(told.reason, failures.map(({ message }) => message).join('; then '), {
    cause: new AggregateError(failures, 'every model failed'),
    help: told.help,
    ...(told.retryAfterMs === undefined ? {} : { retryAfterMs: told.retryAfterMs }),
  });
}
