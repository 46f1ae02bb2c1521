import { randomInt } from 'node:crypto';
import type { Clock, Log } from '@palyra/kernel';
import { type AttemptParts, attempt } from './attempt.ts';
import type { Breaker, Entrance, Passage } from './breaker.ts';
import { withFailover } from './failover.ts';
import { ModelFailure, isPassing, isSickness, isUnworked } from './failure.ts';
import type { ModelEvent, ModelRequest, NothingUsed, SaidEvent } from './model-port.ts';
import type { ModelsSettings } from './models-section.ts';
import { type RetryLimits, withRetries } from './retry.ts';

/** One model that can be asked, and how that went of late. */
export interface Line {
  readonly parts: AttemptParts;
  readonly breaker: Breaker;
  /** Said again while the breaker is open: it is the reason why. */
  lastFailure: ModelFailure | undefined;
}

export interface LineParts {
  readonly settings: ModelsSettings;
  readonly clock: Clock;
  readonly log: Log;
  /** From 0 to below 1; the platform's own when absent. */
  readonly random?: () => number;
}

export interface Asked {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
}

/** Asks the first line, again where that helps, and then the others. Contract: as the port's `reply`. */
export function replyFrom(
  lines: readonly Line[],
  { settings, clock, log, random = chance }: LineParts,
  { request, signal }: Asked,
): AsyncIterable<ModelEvent> {
  const asked = { request, signal, mostTokens: settings.max_output_tokens };
  const candidates = lines.map((line, place) => {
    const { name } = line.parts.target;
    const limits = retryLimits(settings, place === lines.length - 1 ? 'wait' : 'give-up');
    const onRetry = ({ reason }: ModelFailure, waitMs: number) =>
      log.warn('model is asked again', { model: name, reason, waitMs });
    return {
      name,
      reply: () => {
        const parts = { model: name, clock, random, limits, onRetry };
        return withRetries(() => guarded(line, asked), parts, signal);
      },
    };
  });
  return withFailover(candidates, ({ reason }, next) =>
    log.warn('another model is asked', { reason, next }),
  );
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 20_000;

function retryLimits(
  { attempts, retry_wait_ms: totalWaitMs }: ModelsSettings,
  whenPaused: RetryLimits['whenPaused'],
): RetryLimits {
  const firstWaitMs = FIRST_WAIT_MS;
  return { attempts, firstWaitMs, maxWaitMs: MAX_WAIT_MS, totalWaitMs, whenPaused };
}

/** One attempt past the breaker. The first word is what proves the provider well. */
async function* guarded(
  line: Line,
  asked: Asked & { readonly mostTokens: number },
): AsyncGenerator<SaidEvent | NothingUsed, void, undefined> {
  const { request, signal, mostTokens } = asked;
  const entrance = line.breaker.enter(asked);
  if (entrance.kind !== 'open') {
    yield NOTHING_USED;
    throw paused(entrance, line.lastFailure);
  }
  const { passage } = entrance;
  let hasWorked = false;
  try {
    const maxOutputTokens = Math.min(request.maxOutputTokens, mostTokens);
    for await (const event of attempt(line.parts, { ...request, maxOutputTokens }, signal)) {
      passage.succeed();
      hasWorked ||= isWork(event);
      yield event;
    }
    passage.succeed();
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    judge(line, passage, error);
    if (!hasWorked && isUnworked(error.reason)) yield NOTHING_USED;
    throw error;
  } finally {
    passage.withdraw();
  }
}

const NOTHING_USED: NothingUsed = { kind: 'nothing-used' };

/** A count of nothing comes with an error, too. */
function isWork(event: SaidEvent): boolean {
  return event.kind !== 'usage' || event.inputTokens > 0 || event.outputTokens > 0;
}

function judge(line: Line, passage: Passage, failure: ModelFailure): void {
  const { reason, retryAfterMs } = failure;
  // Any other answer came from a provider that works.
  if (isSickness(reason)) passage.fail();
  else passage.succeed();
  if (!isPassing(reason)) return;
  line.lastFailure = failure;
  // The next request has to know of it, too, whoever it is for.
  if (retryAfterMs !== undefined) line.breaker.rest(retryAfterMs);
}

function paused(
  entrance: Exclude<Entrance, { readonly kind: 'open' }>,
  last: ModelFailure | undefined,
): ModelFailure {
  const why = last === undefined ? '' : `; at last ${last.message}`;
  const says = 'the provider failed too often in a row and';
  if (entrance.kind === 'probed') {
    return new ModelFailure('paused', `${says} is being tried with another request${why}`);
  }
  const { waitMs: retryAfterMs } = entrance;
  const when = `is asked again in ${Math.ceil(retryAfterMs / 1000)} s${why}`;
  return entrance.kind === 'resting'
    ? new ModelFailure('left-alone', `the provider wants to be left alone and ${when}`, {
        retryAfterMs,
      })
    : new ModelFailure('paused', `${says} ${when}`, { retryAfterMs });
}

const CHANCES = 2 ** 32;

function chance(): number {
  return randomInt(CHANCES) / CHANCES;
}
