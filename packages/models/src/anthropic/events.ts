import { type Json, type JsonObject, isJsonObject } from '@palyra/kernel';
import { type Finish, endingOf, said } from '../endings.ts';
import { failureInStream } from '../errors.ts';
import { countAt, objectAt, textAt, valueAt } from '../json-view.ts';
import { kept } from '../keepsake.ts';
import type { SaidEvent } from '../model-port.ts';
import type { ToolOf } from '../names.ts';
import type { TokenCounts } from '../price.ts';
import { ToolCallDrafts, argumentText, argumentsIn } from '../tool-calls.ts';
import type { WireEnding, WireReader } from '../wire.ts';

/** Reads the events of the messages API; those it does not know, `ping` among them, say nothing. */
export class MessagesReader implements WireReader {
  readonly #toolOf: ToolOf;
  readonly #calls = new ToolCallDrafts();
  readonly #blocks = new Map<string, Block>();
  #stop: Finish = 'cut';
  #isOver = false;
  #usage: Usage = {};

  constructor(toolOf: ToolOf) {
    this.#toolOf = toolOf;
  }

  read(event: unknown, name: string): readonly SaidEvent[] {
    switch (textAt(event, 'type') ?? name) {
      case 'message_start':
        this.#count(objectAt(objectAt(event, 'message'), 'usage'));
        return [];
      case 'content_block_start':
        return this.#start(slotOf(event), objectAt(event, 'content_block'));
      case 'content_block_delta':
        return this.#delta(slotOf(event), objectAt(event, 'delta'));
      case 'message_delta':
        this.#stop = finishOf(textAt(objectAt(event, 'delta'), 'stop_reason')) ?? this.#stop;
        this.#count(objectAt(event, 'usage'));
        return [];
      case 'message_stop':
        this.#isOver = true;
        return [];
      case 'error':
        throw failureInStream(valueAt(event, 'error') ?? event);
    }
    return [];
  }

  end(): WireEnding {
    const finish = this.#isOver || this.#stop !== 'complete' ? this.#stop : 'cut';
    const counts = countsOf(this.#usage);
    const keepsake = keepsakeIn([...this.#blocks.values()]);
    return endingOf({ finish, counts, calls: this.#calls, toolOf: this.#toolOf, keepsake });
  }

  #start(slot: string, block: unknown): readonly SaidEvent[] {
    switch (textAt(block, 'type')) {
      case 'text':
        this.#blocks.set(slot, { type: 'text', text: textAt(block, 'text') ?? '', signature: '' });
        return said('text', textAt(block, 'text'));
      case 'thinking': {
        const text = textAt(block, 'thinking') ?? '';
        const signature = textAt(block, 'signature') ?? '';
        this.#blocks.set(slot, { type: 'thinking', text, signature });
        return said('reasoning', text);
      }
      case 'redacted_thinking':
        this.#blocks.set(slot, {
          type: 'redacted_thinking',
          text: textAt(block, 'data') ?? '',
          signature: '',
        });
        return [];
      case 'tool_use':
        this.#blocks.set(slot, { type: 'tool_use', text: '', signature: '' });
        this.#calls.open(slot, { name: textAt(block, 'name') ?? '' });
        this.#calls.append(slot, inputOf(valueAt(block, 'input')));
        return [];
      case undefined:
        return [];
    }
    return [];
  }

  #delta(slot: string, delta: unknown): readonly SaidEvent[] {
    switch (textAt(delta, 'type')) {
      case 'text_delta':
        return said('text', this.#append(slot, 'text', textAt(delta, 'text')));
      case 'thinking_delta':
        return said('reasoning', this.#append(slot, 'text', textAt(delta, 'thinking')));
      case 'signature_delta':
        this.#append(slot, 'signature', textAt(delta, 'signature'));
        return [];
      case 'input_json_delta':
        // The tools of the provider itself, which we never ask for, have pieces too.
        if (this.#calls.has(slot)) {
          this.#calls.append(slot, argumentText(valueAt(delta, 'partial_json')));
        }
        return [];
      case undefined:
        return [];
    }
    return [];
  }

  #append(slot: string, field: 'text' | 'signature', piece: string | undefined): string {
    const block = this.#blocks.get(slot);
    if (block !== undefined) block[field] += piece ?? '';
    return piece ?? '';
  }

  /** Counts come twice, at the start and at the end; the later ones are the whole, not an addition. */
  #count(usage: unknown): void {
    const told = COUNTED.flatMap((name) => {
      const count = countAt(usage, name);
      return count === undefined ? [] : [[name, count] as const];
    });
    this.#usage = { ...this.#usage, ...Object.fromEntries(told) };
  }
}

interface Block {
  readonly type: 'text' | 'thinking' | 'redacted_thinking' | 'tool_use';
  text: string;
  signature: string;
}

/** Only a turn with thoughts in it has to be told again as it was. */
function keepsakeIn(blocks: readonly Block[]): readonly JsonObject[] | undefined {
  const hasThought = blocks.some(({ type }) => type.endsWith('thinking'));
  return hasThought ? blocks.map(keptBlock) : undefined;
}

function keptBlock({ type, text, signature }: Block): JsonObject {
  switch (type) {
    case 'text':
      return kept.text(text);
    case 'thinking':
      return kept.own({ type, thinking: text, signature });
    case 'redacted_thinking':
      return kept.own({ type, data: text });
    case 'tool_use':
      return kept.call();
  }
}

const COUNTED = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const;

type Usage = { readonly [Name in (typeof COUNTED)[number]]?: number };

function slotOf(event: unknown): string {
  return String(countAt(event, 'index') ?? 0);
}

/** Empty in a stream, where the pieces follow. Servers that copy this API may send it whole. */
function inputOf(input: Json | undefined): string {
  const isEmpty = input === '' || (isJsonObject(input) && Object.keys(input).length === 0);
  return isEmpty ? '' : argumentsIn(input);
}

function finishOf(stopReason: string | undefined): Finish | undefined {
  switch (stopReason) {
    case undefined:
      return undefined;
    case 'max_tokens':
      return 'output-limit';
    case 'refusal':
      return 'refused';
    case 'model_context_window_exceeded':
      return 'context-too-long';
  }
  return 'complete';
}

/** Here the input is told without what the cache has to do with. */
function countsOf(usage: Usage): TokenCounts | undefined {
  if (Object.keys(usage).length === 0) return undefined;
  const cachedTokens = usage.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0;
  return {
    inputTokens: (usage.input_tokens ?? 0) + cachedTokens + cacheWriteTokens,
    outputTokens: usage.output_tokens ?? 0,
    cachedTokens,
    cacheWriteTokens,
  };
}
