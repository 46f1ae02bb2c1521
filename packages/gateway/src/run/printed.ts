import type { OutputChunk } from '../ports.ts';

/** Of one call, in bytes: the end of it. */
const MAX_BYTES = 65_536;
/** Chunks that take turns between the two streams, as few bytes as they may be. */
const MAX_CHUNKS = 256;
/** Up to here what comes is put to the chunk before it, so that there are few. */
const FULL_CHUNK = 8_192;
/** Calls that print beside one another; of the oldest beyond them nothing is remembered. */
const MAX_CALLS = 8;

export interface PrintedCall {
  readonly callId: string;
  readonly chunks: readonly OutputChunk[];
  /** Printed before what is remembered. */
  readonly leftOutBytes: number;
}

/**
 * What the calls that run have printed, for whoever comes to watch them. In memory alone: all of it
 * comes again with the result, which is recorded.
 */
export class Printed {
  readonly #calls = new Map<string, Tail>();

  print(callId: string, chunk: OutputChunk): void {
    const tail = this.#calls.get(callId) ?? new Tail();
    this.#calls.set(callId, tail);
    tail.add(chunk);
    const [oldest] = this.#calls.keys();
    if (oldest !== undefined && this.#calls.size > MAX_CALLS) this.#calls.delete(oldest);
  }

  /** The result is on record. */
  finish(callId: string): void {
    this.#calls.delete(callId);
  }

  now(): readonly PrintedCall[] {
    return Array.from(this.#calls, ([callId, { chunks, leftOutBytes }]) => ({
      callId,
      chunks,
      leftOutBytes,
    }));
  }
}

/** The end of what one call printed. What comes costs no more than itself, however it comes. */
class Tail {
  readonly #chunks: OutputChunk[] = [];
  #bytes = 0;
  #leftOutBytes = 0;

  get chunks(): readonly OutputChunk[] {
    return [...this.#chunks];
  }

  get leftOutBytes(): number {
    return this.#leftOutBytes;
  }

  add({ isErrorOutput, bytes }: OutputChunk): void {
    const last = this.#chunks.at(-1);
    const fits =
      last?.isErrorOutput === isErrorOutput && last.bytes.length + bytes.length <= FULL_CHUNK;
    // Copied: a chunk may be a small part of a large buffer, which would stay.
    if (fits) this.#chunks.splice(-1, 1, { ...last, bytes: Buffer.concat([last.bytes, bytes]) });
    else this.#chunks.push({ isErrorOutput, bytes: bytes.slice() });
    this.#bytes += bytes.length;
    while (this.#bytes > MAX_BYTES || this.#chunks.length > MAX_CHUNKS) this.#cutFirst();
  }

  #cutFirst(): void {
    const first = this.#chunks.shift();
    if (first === undefined) return;
    const over = this.#chunks.length < MAX_CHUNKS ? this.#bytes - MAX_BYTES : first.bytes.length;
    const cut = Math.min(over, first.bytes.length);
    this.#bytes -= cut;
    this.#leftOutBytes += cut;
    if (cut < first.bytes.length) this.#chunks.unshift({ ...first, bytes: first.bytes.slice(cut) });
  }
}
