import { type Finish, endingOf, said } from '../endings.ts';
import { failureInStream, streamError } from '../errors.ts';
import { countAt, listAt, objectAt, textAt, valueAt } from '../json-view.ts';
import type { ModelEvent } from '../model-port.ts';
import type { ToolOf } from '../names.ts';
import type { TokenCounts } from '../price.ts';
import { ToolCallDrafts } from '../tool-calls.ts';
import type { WireEnding, WireReader } from '../wire.ts';

/** Reads `GenerateContentResponse` objects. Calls come whole here. */
export class GenerateReader implements WireReader {
  readonly #toolOf: ToolOf;
  readonly #calls = new ToolCallDrafts();
  #callCount = 0;
  #finish: Finish = 'cut';
  #counts: TokenCounts | undefined;

  constructor(toolOf: ToolOf) {
    this.#toolOf = toolOf;
  }

  read(event: unknown): readonly ModelEvent[] {
    const error = streamError(event);
    if (error !== undefined) throw failureInStream(error);
    this.#counts = countsOf(objectAt(event, 'usageMetadata')) ?? this.#counts;
    if (textAt(objectAt(event, 'promptFeedback'), 'blockReason') !== undefined) {
      this.#finish = 'refused';
    }
    const candidate = listAt(event, 'candidates')[0];
    const reason = textAt(candidate, 'finishReason');
    if (reason !== undefined) this.#finish = finishOf(reason);
    return listAt(objectAt(candidate, 'content'), 'parts').flatMap((part) => this.#part(part));
  }

  end(): WireEnding {
    const [finish, counts] = [this.#finish, this.#counts];
    return endingOf({ finish, counts, calls: this.#calls, toolOf: this.#toolOf });
  }

  #part(part: unknown): readonly ModelEvent[] {
    const call = objectAt(part, 'functionCall');
    if (call === undefined) {
      return said(valueAt(part, 'thought') === true ? 'reasoning' : 'text', textAt(part, 'text'));
    }
    const slot = String(this.#callCount);
    this.#callCount += 1;
    this.#calls.open(slot, { name: textAt(call, 'name') ?? '' });
    this.#calls.append(slot, JSON.stringify(objectAt(call, 'args') ?? {}));
    return [];
  }
}

function finishOf(reason: string): Finish {
  switch (reason) {
    case 'STOP':
      return 'complete';
    case 'MAX_TOKENS':
      return 'output-limit';
    case 'MALFORMED_FUNCTION_CALL':
    case 'UNEXPECTED_TOOL_CALL':
    case 'TOO_MANY_TOOL_CALLS':
      return 'malformed';
    case 'OTHER':
    case 'FINISH_REASON_UNSPECIFIED':
      return 'cut';
  }
  // All others are kinds of content that it stops at; a new one will be such, too.
  return 'refused';
}

function countsOf(usage: unknown): TokenCounts | undefined {
  const prompt = countAt(usage, 'promptTokenCount');
  const candidates = countAt(usage, 'candidatesTokenCount');
  if (prompt === undefined && candidates === undefined) return undefined;
  return {
    inputTokens: (prompt ?? 0) + (countAt(usage, 'toolUsePromptTokenCount') ?? 0),
    outputTokens: (candidates ?? 0) + (countAt(usage, 'thoughtsTokenCount') ?? 0),
    cachedTokens: countAt(usage, 'cachedContentTokenCount') ?? 0,
    cacheWriteTokens: 0,
  };
}
