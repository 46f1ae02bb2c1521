import { type Finish, endingOf, said } from '../endings.ts';
import { failureInStream, streamError } from '../errors.ts';
import { countAt, listAt, objectAt, textAt, valueAt } from '../json-view.ts';
import type { SaidEvent } from '../model-port.ts';
import type { ToolOf } from '../names.ts';
import type { TokenCounts } from '../price.ts';
import { ToolCallDrafts, argumentText } from '../tool-calls.ts';
import { ChatThoughts } from './thoughts.ts';
import type { WireEnding, WireReader } from '../wire.ts';

/** Reads `chat.completion.chunk` objects. */
export class ChatReader implements WireReader {
  readonly #toolOf: ToolOf;
  readonly #calls = new ToolCallDrafts();
  readonly #thoughts = new ChatThoughts();
  #finish: Finish = 'cut';
  #counts: TokenCounts | undefined;

  constructor(toolOf: ToolOf) {
    this.#toolOf = toolOf;
  }

  read(event: unknown): readonly SaidEvent[] {
    const error = streamError(event);
    if (error !== undefined) throw failureInStream(error);
    this.#counts = countsOf(objectAt(event, 'usage')) ?? this.#counts;
    const choice = listAt(event, 'choices').find((each) => (countAt(each, 'index') ?? 0) === 0);
    if (choice === undefined) return [];
    const reason = textAt(choice, 'finish_reason');
    if (reason !== undefined) this.#finish = finishOf(reason);
    return this.#delta(objectAt(choice, 'delta'));
  }

  end(): WireEnding {
    const [finish, counts] = [this.#finish, this.#counts];
    const keepsake = this.#thoughts.keepsake();
    return endingOf({ finish, counts, calls: this.#calls, toolOf: this.#toolOf, keepsake });
  }

  #delta(delta: unknown): readonly SaidEvent[] {
    for (const piece of listAt(delta, 'tool_calls')) this.#callPiece(piece);
    return [
      ...said('reasoning', this.#thoughts.read(delta)),
      ...said('text', textAt(delta, 'content')),
      ...said('text', textAt(delta, 'refusal')),
    ];
  }

  #callPiece(piece: unknown): void {
    const called = objectAt(piece, 'function');
    const id = textAt(piece, 'id') ?? '';
    const name = textAt(called, 'name') ?? '';
    const slot = this.#slotOf(piece, id);
    // Some servers give every call the same index; a new id is then what tells them apart.
    const isOther = id !== '' && this.#calls.idOf(slot) !== id;
    if (!this.#calls.has(slot) || (isOther && name !== '')) this.#calls.open(slot, { name, id });
    this.#calls.append(slot, argumentText(valueAt(called, 'arguments')));
  }

  #slotOf(piece: unknown, id: string): string {
    const index = countAt(piece, 'index');
    if (index !== undefined) return String(index);
    return id === '' ? (this.#calls.lastSlot ?? '0') : `id:${id}`;
  }
}

function finishOf(reason: string): Finish {
  if (reason === 'length') return 'output-limit';
  if (reason === 'content_filter') return 'refused';
  // Whatever else there is or will be: the model has stopped by itself.
  return reason === 'error' ? 'cut' : 'complete';
}

function countsOf(usage: unknown): TokenCounts | undefined {
  const inputTokens = countAt(usage, 'prompt_tokens');
  const outputTokens = countAt(usage, 'completion_tokens');
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const details = objectAt(usage, 'prompt_tokens_details');
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cachedTokens: countAt(details, 'cached_tokens') ?? 0,
    cacheWriteTokens: countAt(details, 'cache_write_tokens') ?? 0,
  };
}
