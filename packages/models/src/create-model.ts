import { randomInt } from 'node:crypto';
import type { Clock, Log } from '@palyra/kernel';
import { type AttemptParts, attempt } from './attempt.ts';
import { type Breaker, type Passage, createBreaker } from './breaker.ts';
import { withFailover } from './failover.ts';
import { ModelFailure, isSickness } from './failure.ts';
import type { ProviderName } from './failover-entry.ts';
import { type HttpParts, openConnections } from './http.ts';
import { type KeyPlaces, readKey } from './keys.ts';
import type { ModelEvent, ModelPort, ModelRequest } from './model-port.ts';
import type { ModelsSettings } from './models-section.ts';
import { type RetryLimits, withRetries } from './retry.ts';
import { builtInScript } from './script/built-in-script.ts';
import { loadScript } from './script/load-script.ts';
import { createScriptModel } from './script/script-model.ts';
import { targetsOf } from './targets.ts';

export interface ModelParts extends KeyPlaces {
  readonly settings: ModelsSettings;
  readonly clock: Clock;
  readonly log: Log;
  /** From 0 to below 1; the platform's own when absent. */
  readonly random?: () => number;
}

/** Holds connections open between turns until it is disposed of. */
export interface Model extends ModelPort, Disposable {}

/**
 * The model that the settings name.
 * Contract: throws for settings that do not fit, a key that is missing and a script that is none;
 * nothing is sent yet. The keys are read here, once.
 */
export async function createModel(parts: ModelParts): Promise<Model> {
  const { provider } = parts.settings;
  return provider === 'script' ? await scriptModel(parts) : providerModel(parts, provider);
}

async function scriptModel({ settings, clock }: ModelParts): Promise<Model> {
  const script = settings.script === '' ? builtInScript() : await loadScript(settings.script);
  const model = createScriptModel({ script, clock });
  return {
    name: model.name,
    isScript: model.isScript,
    reply: ({ conversation }, signal) => model.reply(conversation, signal),
    [Symbol.dispose]: () => undefined,
  };
}

interface Line {
  readonly parts: AttemptParts;
  readonly breaker: Breaker;
  /** Said again while the breaker is open: it is the reason why. */
  lastFailure: ModelFailure | undefined;
}

function providerModel(parts: ModelParts, provider: ProviderName): Model {
  const { settings, clock } = parts;
  const connections = openConnections();
  const http: HttpParts = {
    clock,
    connections,
    plainText: settings.plain_text,
    deadlines: {
      connectMs: settings.connect_timeout_ms,
      firstByteMs: settings.first_byte_timeout_ms,
      idleMs: settings.idle_timeout_ms,
      totalMs: settings.total_timeout_ms,
    },
  };
  const targets = targetsOf(settings, provider);
  const lines = targets.map((target): Line => ({
    parts: { target, key: readKey(target.keySource, parts), http },
    breaker: createBreaker(clock),
    lastFailure: undefined,
  }));
  return {
    name: targets[0]?.name ?? provider,
    isScript: false,
    reply: (request, signal) => replyFrom(lines, parts, { request, signal }),
    [Symbol.dispose]: () => connections[Symbol.dispose](),
  };
}

interface Asked {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
}

function replyFrom(
  lines: readonly Line[],
  { settings, clock, log, random = chance }: ModelParts,
  { request, signal }: Asked,
): AsyncIterable<ModelEvent> {
  const maxOutputTokens = Math.min(request.maxOutputTokens, settings.max_output_tokens);
  const asked = { request: { ...request, maxOutputTokens }, signal };
  const limits = retryLimits(settings);
  const candidates = lines.map((line) => {
    const { name } = line.parts.target;
    const onRetry = ({ reason }: ModelFailure, waitMs: number) =>
      log.warn('model is asked again', { model: name, reason, waitMs });
    return {
      name,
      reply: () =>
        withRetries(() => guarded(line, asked), { clock, random, limits, onRetry }, signal),
    };
  });
  return withFailover(candidates, ({ reason }, next) =>
    log.warn('another model is asked', { reason, next }),
  );
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 20_000;

function retryLimits({ attempts, retry_wait_ms: totalWaitMs }: ModelsSettings): RetryLimits {
  return { attempts, firstWaitMs: FIRST_WAIT_MS, maxWaitMs: MAX_WAIT_MS, totalWaitMs };
}

/** One attempt past the breaker. The first word is what proves the provider well. */
async function* guarded(
  line: Line,
  { request, signal }: Asked,
): AsyncGenerator<ModelEvent, void, undefined> {
  const entrance = line.breaker.enter();
  if (entrance.kind === 'shut') throw paused(entrance.waitMs, line.lastFailure);
  const { passage } = entrance;
  try {
    for await (const event of attempt(line.parts, request, signal)) {
      passage.succeed();
      yield event;
    }
    passage.succeed();
  } catch (error) {
    if (error instanceof ModelFailure) judge(line, passage, error);
    throw error;
  } finally {
    passage.withdraw();
  }
}

function judge(line: Line, passage: Passage, failure: ModelFailure): void {
  // Any other answer came from a provider that works.
  if (!isSickness(failure.reason)) return passage.succeed();
  passage.fail();
  line.lastFailure = failure;
}

function paused(waitMs: number, last: ModelFailure | undefined): ModelFailure {
  const seconds = Math.ceil(waitMs / 1000);
  const why = last === undefined ? '' : `; at last ${last.message}`;
  return new ModelFailure(
    'paused',
    `the provider failed too often in a row and is asked again in ${seconds} s${why}`,
    { retryAfterMs: waitMs },
  );
}

const CHANCES = 2 ** 32;

function chance(): number {
  return randomInt(CHANCES) / CHANCES;
}
