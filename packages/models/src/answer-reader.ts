import { ModelFailure } from './failure.ts';
import { parseJson } from './json-view.ts';
import type { SaidEvent } from './model-port.ts';
import { type ServerEvent, SseReader } from './sse.ts';
import { WholeCharacters } from './whole-characters.ts';
import type { WireEnding, WireReader } from './wire.ts';

/** Reads the bytes of one answer, in whatever pieces they come. */
export class AnswerReader {
  readonly #lines = new SseReader();
  readonly #characters = new WholeCharacters();
  readonly #reader: WireReader;

  constructor(reader: WireReader) {
    this.#reader = reader;
  }

  /** Contract: throws a ModelFailure for what is no answer. */
  *push(bytes: Uint8Array): Generator<SaidEvent, void, undefined> {
    for (const event of this.#lines.push(bytes)) yield* this.#read(event);
  }

  /** Asked once, when the stream has ended. */
  end(): WireEnding {
    return this.#reader.end();
  }

  #read({ name, data }: ServerEvent): readonly SaidEvent[] {
    if (data === '' || data.trim() === DONE) return [];
    const event = parseJson(data);
    if (event === undefined) {
      throw new ModelFailure('broken-stream', 'the answer of the model holds what is not json');
    }
    return this.#characters.join(this.#reader.read(event, name));
  }
}

/** The last line of several servers; it is the one event that is not JSON. */
const DONE = '[DONE]';
