import { ModelFailure } from './failure.ts';

/** One server-sent event. */
export interface ServerEvent {
  /** Empty when the server names none. */
  readonly name: string;
  readonly data: string;
}

export interface SseLimits {
  readonly lineLength: number;
  readonly eventLength: number;
}

/** In characters. The largest real event is a whole answer, repeated at the end of its stream. */
export const SSE_LIMITS: SseLimits = { lineLength: 8 * 1024 * 1024, eventLength: 8 * 1024 * 1024 };

/**
 * Reads server-sent events from bytes, however these are split.
 * Contract: throws a ModelFailure for bytes that are not UTF-8 and for what passes the limits; what
 * came before has been given by then. An event that the stream's end cuts off is never given.
 */
export class SseReader {
  readonly #limits: SseLimits;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #line = '';
  /** A line feed that follows belongs to the carriage return before it. */
  #endedWithReturn = false;
  #name = '';
  #data: string | undefined;

  constructor(limits: SseLimits = SSE_LIMITS) {
    this.#limits = limits;
  }

  *push(bytes: Uint8Array): Generator<ServerEvent, void, undefined> {
    const text = this.#decode(bytes);
    let start = 0;
    for (const { index, 0: ending } of text.matchAll(/\r\n?|\n/g)) {
      const isSecondHalf = index === 0 && ending === '\n' && this.#endedWithReturn;
      if (!isSecondHalf) {
        this.#append(text.slice(start, index));
        yield* this.#endLine();
      }
      start = index + ending.length;
    }
    this.#append(text.slice(start));
    if (text !== '') this.#endedWithReturn = text.endsWith('\r');
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes, { stream: true });
    } catch (error) {
      throw new ModelFailure('broken-stream', 'the answer of the model is not utf-8 text', {
        cause: error,
      });
    }
  }

  #append(text: string): void {
    this.#line += text;
    if (this.#line.length > this.#limits.lineLength) {
      throw tooLong('a line', this.#limits.lineLength);
    }
  }

  *#endLine(): Generator<ServerEvent, void, undefined> {
    const line = this.#line;
    this.#line = '';
    if (line !== '') return this.#field(line);
    if (this.#data !== undefined) yield { name: this.#name, data: this.#data };
    this.#name = '';
    this.#data = undefined;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.#name = value;
    if (field !== 'data') return;
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    if (this.#data.length > this.#limits.eventLength) {
      throw tooLong('an event', this.#limits.eventLength);
    }
  }
}

function tooLong(what: string, limit: number): ModelFailure {
  return new ModelFailure(
    'broken-stream',
    `${what} in the answer of the model is longer than ${limit} characters`,
  );
}
