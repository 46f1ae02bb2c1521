import { ModelFailure, isForAnotherModel } from './failure.ts';

export interface Candidate<Event> {
  readonly name: string;
  reply(): AsyncIterable<Event>;
}

/**
 * Asks the models in order until one speaks.
 * Contract: turns to the next only while nothing has been said yet. When all have failed, the
 * failure of the first is thrown, since that is the model that was asked for; the others are named.
 */
export async function* withFailover<Event>(
  candidates: readonly Candidate<Event>[],
  onFailover: (failure: ModelFailure, next: string) => void,
): AsyncGenerator<Event, void, undefined> {
  const failures: ModelFailure[] = [];
  for (const [place, candidate] of candidates.entries()) {
    let hasSpoken = false;
    try {
      for await (const event of candidate.reply()) {
        hasSpoken = true;
        yield event;
      }
      return;
    } catch (error) {
      if (hasSpoken || !(error instanceof ModelFailure)) throw error;
      failures.push(error);
      const next = candidates[place + 1];
      if (next === undefined || !isForAnotherModel(error.reason)) throw combined(failures);
      onFailover(error, next.name);
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
