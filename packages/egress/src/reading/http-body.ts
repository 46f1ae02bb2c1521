import { Refused } from '../refusal.ts';
import { type Head, valuesOf } from './http-head.ts';

/** How the body of a request is delimited. */
export type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' };

/** Contract: `undefined` when the head leaves any doubt about where its body ends. */
export function framingOf(head: Pick<Head, 'fields'>): Framing | undefined {
  const lengths = valuesOf(head, 'content-length');
  const encodings = valuesOf(head, 'transfer-encoding');
  if (lengths.length + encodings.length > 1) return undefined;
  const [encoding] = encodings;
  if (encoding !== undefined) {
    return encoding.toLowerCase() === 'chunked' ? { kind: 'chunked' } : undefined;
  }
  const [length = '0'] = lengths;
  return /^\d{1,15}$/.test(length) ? { kind: 'length', bytes: Number(length) } : undefined;
}

/** Lets exactly one body through. `pass` gives what may be sent on; nothing after `isDone`. */
export interface BodyFilter {
  readonly isDone: boolean;
  /** Contract: throws Refused for what is not a body; bytes after its end are dropped. */
  pass(chunk: Buffer): readonly Buffer[];
}

export function bodyFilter(framing: Framing): BodyFilter {
  return framing.kind === 'length' ? new CountedBody(framing.bytes) : new ChunkedBody();
}

class CountedBody implements BodyFilter {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  get isDone(): boolean {
    return this.#left === 0;
  }

  pass(chunk: Buffer): readonly Buffer[] {
    const taken = chunk.subarray(0, this.#left);
    this.#left -= taken.length;
    return taken.length === 0 ? [] : [taken];
  }
}

const MAX_SIZE_LINE = 10;
const SIZE_LINE = /^[0-9a-fA-F]{1,8}$/;

/**
 * Takes a chunked body apart and writes it anew, so that what arrives has one reading. Extensions
 * and trailers are refused: nobody here needs them, and servers differ about them.
 */
class ChunkedBody implements BodyFilter {
  /** Where in the grammar the next byte stands. */
  #at: 'size' | 'bytes' | 'after-bytes' | 'after-last' | 'done' = 'size';
  #line = '';
  #left = 0;

  get isDone(): boolean {
    return this.#at === 'done';
  }

  pass(chunk: Buffer): readonly Buffer[] {
    if (this.isDone) return [];
    const pieces: Buffer[] = [];
    let rest = chunk;
    while (rest.length > 0 && this.#at !== 'done') {
      if (this.#at === 'bytes') pieces.push(rest.subarray(0, this.#left));
      rest = this.#at === 'bytes' ? this.#takeBytes(rest) : this.#takeLine(rest);
    }
    // Joined, since one who sends crumbs shall not make us write as many.
    const bytes = Buffer.concat(pieces);
    const size = Buffer.from(`${bytes.length.toString(16)}\r\n`);
    const whole = bytes.length === 0 ? [] : [size, bytes, Buffer.from('\r\n')];
    const last = this.isDone ? [Buffer.from('0\r\n\r\n')] : [];
    const passed = Buffer.concat([...whole, ...last]);
    return passed.length === 0 ? [] : [passed];
  }

  #takeBytes(chunk: Buffer): Buffer {
    const taken = Math.min(chunk.length, this.#left);
    this.#left -= taken;
    if (this.#left === 0) this.#at = 'after-bytes';
    return chunk.subarray(taken);
  }

  #takeLine(chunk: Buffer): Buffer {
    const end = chunk.subarray(0, MAX_SIZE_LINE).indexOf('\n');
    const taken = end === -1 ? chunk : chunk.subarray(0, end + 1);
    if (this.#line.length + taken.length > MAX_SIZE_LINE) throw malformed();
    this.#line += taken.toString('latin1');
    if (end === -1) return chunk.subarray(taken.length);
    if (!this.#line.endsWith('\r\n')) throw malformed();
    this.#endLine(this.#line.slice(0, -2));
    this.#line = '';
    return chunk.subarray(taken.length);
  }

  #endLine(line: string): void {
    if (this.#at === 'size') {
      if (!SIZE_LINE.test(line)) throw malformed();
      this.#left = Number.parseInt(line, 16);
      this.#at = this.#left === 0 ? 'after-last' : 'bytes';
      return;
    }
    if (line !== '') throw malformed();
    this.#at = this.#at === 'after-last' ? 'done' : 'size';
  }
}

function malformed(): Refused {
  return new Refused('body-malformed');
}
