import type { JsonObject } from '@palyra/kernel';
import { type Finish, endingOf, said } from '../endings.ts';
import { failureInStream, streamError } from '../errors.ts';
import { countAt, listAt, objectAt, textAt, valueAt } from '../json-view.ts';
import { kept } from '../keepsake.ts';
import type { SaidEvent } from '../model-port.ts';
import type { ToolOf } from '../names.ts';
import type { TokenCounts } from '../price.ts';
import { ToolCallDrafts, argumentsIn } from '../tool-calls.ts';
import type { WireEnding, WireReader } from '../wire.ts';

/** Reads `GenerateContentResponse` objects. Calls come whole here. */
export class GenerateReader implements WireReader {
  readonly #toolOf: ToolOf;
  readonly #calls = new ToolCallDrafts();
  readonly #parts: Part[] = [];
  #callCount = 0;
  #finish: Finish = 'cut';
  #counts: TokenCounts | undefined;

  constructor(toolOf: ToolOf) {
    this.#toolOf = toolOf;
  }

  read(event: unknown): readonly SaidEvent[] {
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
    const keepsake = keepsakeIn(this.#parts);
    return endingOf({ finish, counts, calls: this.#calls, toolOf: this.#toolOf, keepsake });
  }

  #part(part: unknown): readonly SaidEvent[] {
    const call = objectAt(part, 'functionCall');
    const text = textAt(part, 'text');
    if (call === undefined && valueAt(part, 'thought') === true) return said('reasoning', text);
    this.#keep({ text: call === undefined ? (text ?? '') : undefined, signature: signedBy(part) });
    if (call === undefined) return said('text', text);
    const slot = String(this.#callCount);
    this.#callCount += 1;
    this.#calls.open(slot, { name: textAt(call, 'name') ?? '' });
    this.#calls.append(slot, argumentsIn(valueAt(call, 'args')));
    return [];
  }

  /** Text comes in many parts; up to a signature they are one. */
  #keep(part: Part): void {
    const last = this.#parts.at(-1);
    if (last?.text === undefined || last.signature !== '' || part.text === undefined) {
      this.#parts.push(part);
    } else {
      this.#parts.splice(-1, 1, { ...part, text: last.text + part.text });
    }
  }
}

interface Part {
  /** Absent for a call. */
  readonly text: string | undefined;
  /** Empty where it is not signed. */
  readonly signature: string;
}

function signedBy(part: unknown): string {
  return textAt(part, 'thoughtSignature') ?? '';
}

/** Only a turn that was signed has to be told again as it was. */
function keepsakeIn(parts: readonly Part[]): readonly JsonObject[] | undefined {
  if (parts.every(({ signature }) => signature === '')) return undefined;
  return parts
    .filter(({ text, signature }) => text !== '' || signature !== '')
    .map(({ text, signature }) => {
      const extra: JsonObject = signature === '' ? {} : { thoughtSignature: signature };
      return text === undefined ? kept.call(extra) : kept.text(text, extra);
    });
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
