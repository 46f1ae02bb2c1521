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
  #hasBegun = false;
  #ending: WireEnding | undefined;

  constructor(reader: WireReader) {
    this.#reader = reader;
  }

  /** Contract: throws a ModelFailure for what is no answer. */
  *push(bytes: Uint8Array): Generator<SaidEvent, void, undefined> {
    for (const event of this.#lines.push(bytes)) yield* this.#read(event);
  }

  /** Whether anything came that is of an answer, and no error in its place. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Of calls that came, once none of them counts. */
  get lostBytes(): number {
    const { toolCalls, lostBytes = 0 } = this.ending;
    return toolCalls.reduce((sum, call) => sum + sizeOf(call), lostBytes);
  }

  /** As far as the stream has come. */
  get ending(): WireEnding {
    this.#ending ??= this.#reader.end();
    return this.#ending;
  }

  #read({ name, data }: ServerEvent): readonly SaidEvent[] {
    if (data === '' || data.trim() === DONE) return [];
    const event = parseJson(data);
    if (event === undefined) {
      throw new ModelFailure('broken-stream', 'the answer of the model holds what is not json');
    }
    const said = this.#reader.read(event, name);
    this.#hasBegun = true;
    return this.#characters.join(said);
  }
}

function sizeOf(call: SaidEvent): number {
  return call.kind === 'tool-call' ? Buffer.byteLength(call.tool + call.argumentsJson) : 0;
}

/** The last line of several servers; it is the one event that is not JSON. */
const DONE = '[DONE]';
