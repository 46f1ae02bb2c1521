import { AnswerReader } from './answer-reader.ts';
import { under } from './base-url.ts';
import { type HttpParts, exchange } from './http.ts';
import { keepsakeOf, withOwnKeepsakes } from './keepsake.ts';
import { KeyMask } from './key-mask.ts';
import type { SaidEvent, ModelRequest } from './model-port.ts';
import { toolNames } from './names.ts';
import { usageEvent } from './price.ts';
import type { Target } from './targets.ts';

export interface AttemptParts {
  readonly target: Target;
  readonly key: string;
  readonly http: HttpParts;
}

/**
 * Asks one model once.
 * Contract: as the port's `reply`. What was counted is told even when the turn then fails, since it
 * has to be paid for.
 */
export async function* attempt(
  parts: AttemptParts,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<SaidEvent, void, undefined> {
  const mask = new KeyMask(parts.key);
  try {
    // Delegating to a list costs several promises, and there is one for each word.
    for await (const said of answerOf(parts, request, signal)) {
      for (const masked of mask.event(said)) yield masked;
    }
  } catch (error) {
    // What was said stays said when the turn fails; after an abort nobody listens.
    if (!signal.aborted) yield* mask.rest();
    throw mask.failure(error);
  }
  yield* mask.rest();
}

async function* answerOf(
  { target, key, http }: AttemptParts,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<SaidEvent, void, undefined> {
  const conversation = withOwnKeepsakes(request.conversation, target);
  const { path, headers, body } = target.wire.post({ ...request, conversation }, target);
  const post = {
    method: 'POST',
    accept: 'text/event-stream',
    url: under(target.baseUrl, path),
    headers: key === '' ? headers : { ...headers, ...target.wire.keyHeader(key) },
    body: JSON.stringify(body),
    key,
  } as const;
  const reader = new AnswerReader(target.wire.reader(toolNames(request.tools)));
  let hasSpoken = false;
  try {
    for await (const bytes of exchange(post, http, signal)) {
      for (const said of reader.push(bytes)) {
        signal.throwIfAborted();
        hasSpoken = true;
        yield said;
      }
    }
    signal.throwIfAborted();
    const { toolCalls, failure, keepsake } = reader.ending;
    if (failure !== undefined) throw failure;
    if (keepsake !== undefined) yield* keepsakeOf(keepsake, target);
    yield* toolCalls;
    yield* countOf(reader, target);
  } catch (error) {
    if (signal.aborted || !reader.hasBegun) throw error;
    const bytes = reader.lostBytes;
    // Of no bytes, too, where nothing else tells that there was an answer.
    if (bytes > 0 || !hasSpoken) yield { kind: 'lost', bytes };
    yield* countOf(reader, target);
    throw error;
  }
}

function* countOf({ ending }: AnswerReader, { prices }: Target): Generator<SaidEvent> {
  if (ending.counts !== undefined) yield usageEvent(ending.counts, prices);
}
