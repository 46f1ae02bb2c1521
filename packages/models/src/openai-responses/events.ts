import type { Json, JsonObject } from '@palyra/kernel';
import { type Finish, endingOf, said } from '../endings.ts';
import { failureInStream, streamError } from '../errors.ts';
import { countAt, listAt, objectAt, textAt, valueAt } from '../json-view.ts';
import { kept } from '../keepsake.ts';
import type { SaidEvent } from '../model-port.ts';
import type { ToolOf } from '../names.ts';
import type { TokenCounts } from '../price.ts';
import { ToolCallDrafts, argumentText } from '../tool-calls.ts';
import type { WireEnding, WireReader } from '../wire.ts';

/** Reads the events of the responses API; those it does not know say nothing that we need. */
export class ResponsesReader implements WireReader {
  readonly #toolOf: ToolOf;
  readonly #calls = new ToolCallDrafts();
  /** By their place, in the order in which they began; whole when they are done. */
  readonly #items = new Map<string, JsonObject>();
  #finish: Finish = 'cut';
  #counts: TokenCounts | undefined;

  constructor(toolOf: ToolOf) {
    this.#toolOf = toolOf;
  }

  read(event: unknown, name: string): readonly SaidEvent[] {
    const type = textAt(event, 'type') ?? name;
    if (type.startsWith('response.')) return this.#readPart(type.slice('response.'.length), event);
    if (type === 'error') throw failureInStream(objectAt(event, 'error') ?? event);
    const error = streamError(event);
    if (error !== undefined) throw failureInStream(error);
    return [];
  }

  end(): WireEnding {
    const [finish, counts] = [this.#finish, this.#counts];
    const keepsake = keepsakeIn([...this.#items.values()]);
    return endingOf({ finish, counts, calls: this.#calls, toolOf: this.#toolOf, keepsake });
  }

  #readPart(part: string, event: unknown): readonly SaidEvent[] {
    switch (part) {
      case 'output_text.delta':
      case 'refusal.delta':
        return said('text', textAt(event, 'delta'));
      case 'reasoning_summary_text.delta':
      case 'reasoning_text.delta':
        return said('reasoning', textAt(event, 'delta'));
      case 'reasoning_summary_part.added':
        return said('reasoning', (countAt(event, 'summary_index') ?? 0) > 0 ? '\n\n' : '');
    }
    if (part.startsWith('output_item.') || part.startsWith('function_call_arguments.')) {
      this.#readCall(part, event);
    } else {
      this.#readEnd(part, objectAt(event, 'response'));
    }
    return [];
  }

  #readCall(part: string, event: unknown): void {
    const slot = String(countAt(event, 'output_index') ?? 0);
    const item = objectAt(event, 'item');
    if (item !== undefined) this.#items.set(slot, item);
    const isCall = textAt(item, 'type') === 'function_call';
    const name = textAt(item, 'name') ?? '';
    switch (part) {
      case 'output_item.added':
        if (!isCall) return;
        this.#calls.open(slot, { name });
        return this.#calls.append(slot, argumentText(valueAt(item, 'arguments')));
      case 'function_call_arguments.delta':
        return this.#calls.append(slot, argumentText(valueAt(event, 'delta')));
      case 'function_call_arguments.done':
        return this.#settle(slot, '', valueAt(event, 'arguments'));
      case 'output_item.done':
        if (!isCall) return;
        if (!this.#calls.has(slot)) this.#calls.open(slot, { name });
        return this.#settle(slot, name, valueAt(item, 'arguments'));
    }
  }

  #settle(slot: string, name: string, value: Json | undefined): void {
    this.#calls.settle(slot, { name, text: argumentText(value) });
  }

  #readEnd(part: string, response: unknown): void {
    const finish = finishOf(part, response);
    if (finish === undefined) return;
    this.#finish = finish;
    this.#counts = countsOf(objectAt(response, 'usage')) ?? this.#counts;
  }
}

/**
 * Only a turn with sealed thoughts has to be told again as it was. A thought that is not sealed can
 * only be named, and nothing is stored there that a name would lead to.
 */
function keepsakeIn(items: readonly JsonObject[]): readonly JsonObject[] | undefined {
  return items.some(isSealed) ? items.flatMap(keptItem) : undefined;
}

function isSealed(item: JsonObject): boolean {
  return textAt(item, 'type') === 'reasoning' && (textAt(item, 'encrypted_content') ?? '') !== '';
}

function keptItem(item: JsonObject): readonly JsonObject[] {
  switch (textAt(item, 'type')) {
    case 'reasoning':
      return isSealed(item) ? [kept.own(item)] : [];
    case 'function_call':
      return [kept.call()];
    case 'message':
      return [kept.text(textIn(item), phaseOf(item))];
    case undefined:
      return [];
  }
  return [];
}

function textIn(message: JsonObject): string {
  return listAt(message, 'content')
    .map((part) => textAt(part, 'text') ?? textAt(part, 'refusal') ?? '')
    .join('');
}

/** Whether it spoke on the way or at the end; newer models want to hear that again. */
function phaseOf(message: JsonObject): JsonObject {
  const phase = textAt(message, 'phase');
  return phase === undefined ? {} : { phase };
}

function finishOf(part: string, response: unknown): Finish | undefined {
  switch (part) {
    case 'completed':
      return 'complete';
    case 'incomplete': {
      const reason = textAt(objectAt(response, 'incomplete_details'), 'reason');
      return reason === 'content_filter' ? 'refused' : 'output-limit';
    }
    case 'failed':
      throw failureInStream(valueAt(response, 'error') ?? {});
  }
  return undefined;
}

function countsOf(usage: unknown): TokenCounts | undefined {
  const inputTokens = countAt(usage, 'input_tokens');
  const outputTokens = countAt(usage, 'output_tokens');
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const details = objectAt(usage, 'input_tokens_details');
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cachedTokens: countAt(details, 'cached_tokens') ?? 0,
    cacheWriteTokens: countAt(details, 'cache_write_tokens') ?? 0,
  };
}
