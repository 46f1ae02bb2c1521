import { Refused } from '../refusal.ts';
import { type Incremental, MORE, type Progress, refuse } from './incremental.ts';

/** The start of TLS, as far as it matters here. */
export interface ClientHello {
  /** As it was sent; `undefined` when the hello names nobody. */
  readonly serverName: string | undefined;
}

const RECORD_HEADER = 5;
const HANDSHAKE_RECORD = 22;
const MAX_RECORD = 16_384;
/** Honest clients need four at most; who cuts a hello to crumbs hides it from somebody. */
const MAX_RECORDS = 32;
const MESSAGE_HEADER = 4;
const CLIENT_HELLO = 1;
const RANDOM = 32;
const SERVER_NAME = 0;
const HOST_NAME = 0;
/** Encrypted ClientHello and its forerunner: the name that is seen may not be the one that is meant. */
const ENCRYPTED: readonly number[] = [0xfe0d, 0xffce];

/**
 * Reads a ClientHello out of TLS records, in however many pieces it comes. Everything that was read
 * is given back as `rest`: it is for whoever speaks TLS.
 */
export class HelloReader implements Incremental<ClientHello> {
  readonly #limitBytes: number;
  readonly #raw: Buffer[] = [];
  #rawBytes = 0;
  readonly #message: Buffer[] = [];
  #messageBytes = 0;
  readonly #header = Buffer.alloc(RECORD_HEADER);
  #headerBytes = 0;
  #records = 0;
  /** Of the record that is being read. */
  #recordLeft = 0;
  /** Known as soon as the message's own header is. */
  #wholeBytes = Number.POSITIVE_INFINITY;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  push(chunk: Buffer): Progress<ClientHello> {
    this.#raw.push(chunk);
    this.#rawBytes += chunk.length;
    try {
      if (!this.#take(chunk))
        return this.#rawBytes > this.#limitBytes ? refuse('hello-too-long') : MORE;
      const value = parseHello(Buffer.concat(this.#message).subarray(MESSAGE_HEADER));
      return { kind: 'done', value, rest: Buffer.concat(this.#raw) };
    } catch (error) {
      if (error instanceof Refused) return refuse(error.reason);
      throw error;
    }
  }

  /** Whether the message is whole. */
  #take(chunk: Buffer): boolean {
    let rest = chunk;
    while (rest.length > 0) {
      rest = this.#recordLeft === 0 ? this.#takeHeader(rest) : this.#takeBody(rest);
      if (this.#messageBytes < this.#wholeBytes) continue;
      // Nothing follows a hello in its record: another message there would go unseen.
      if (this.#messageBytes > this.#wholeBytes || this.#recordLeft > 0) throw malformed();
      return true;
    }
    return false;
  }

  #takeHeader(chunk: Buffer): Buffer {
    const taken = chunk.copy(this.#header, this.#headerBytes, 0, RECORD_HEADER - this.#headerBytes);
    this.#headerBytes += taken;
    // Told from plain text at the first byte, so that nobody waits for the rest of a greeting.
    if (this.#header[0] !== HANDSHAKE_RECORD) throw malformed();
    if (this.#headerBytes < RECORD_HEADER) return chunk.subarray(taken);
    const length = this.#header.readUInt16BE(3);
    const isTls =
      this.#header[1] === 3 && (this.#header[2] ?? 0) >= 1 && (this.#header[2] ?? 0) <= 3;
    if (!isTls || length === 0 || length > MAX_RECORD) throw malformed();
    this.#records += 1;
    if (this.#records > MAX_RECORDS) throw malformed();
    this.#recordLeft = length;
    this.#headerBytes = 0;
    return chunk.subarray(taken);
  }

  #takeBody(chunk: Buffer): Buffer {
    const taken = chunk.subarray(0, this.#recordLeft);
    this.#message.push(taken);
    this.#messageBytes += taken.length;
    this.#recordLeft -= taken.length;
    if (this.#wholeBytes === Number.POSITIVE_INFINITY) this.#readMessageHeader();
    return chunk.subarray(taken.length);
  }

  #readMessageHeader(): void {
    const start = Buffer.concat(this.#message.slice(0, MESSAGE_HEADER));
    if (start[0] !== CLIENT_HELLO) throw malformed();
    if (start.length < MESSAGE_HEADER) return;
    const length = start.readUIntBE(1, 3);
    if (length > this.#limitBytes) throw new Refused('hello-too-long');
    this.#wholeBytes = MESSAGE_HEADER + length;
  }
}

/** Contract: the body of the message, without its header; throws Refused for any other. */
function parseHello(body: Buffer): ClientHello {
  const cursor = new Cursor(body);
  const version = cursor.number(2);
  if (version < 0x0301 || version > 0x0303) throw malformed();
  cursor.bytes(RANDOM);
  if (cursor.vector(1).length > 32) throw malformed();
  const ciphers = cursor.vector(2);
  if (ciphers.length < 2 || ciphers.length % 2 !== 0) throw malformed();
  if (cursor.vector(1).length === 0) throw malformed();
  if (cursor.isAtEnd) return { serverName: undefined };
  const extensions = parseExtensions(cursor.vector(2));
  cursor.mustEnd();
  if (ENCRYPTED.some((type) => extensions.has(type))) throw new Refused('hello-encrypted');
  const names = extensions.get(SERVER_NAME);
  return { serverName: names === undefined ? undefined : parseServerName(names) };
}

function parseExtensions(block: Buffer): ReadonlyMap<number, Buffer> {
  const cursor = new Cursor(block);
  const extensions = new Map<number, Buffer>();
  while (!cursor.isAtEnd) {
    const type = cursor.number(2);
    // Of two, servers differ in which they believe.
    if (extensions.has(type)) throw malformed();
    extensions.set(type, cursor.vector(2));
  }
  return extensions;
}

/** Exactly one name, and of the only kind there is. */
function parseServerName(extension: Buffer): string {
  const list = new Cursor(extension);
  const entry = new Cursor(list.vector(2));
  list.mustEnd();
  if (entry.number(1) !== HOST_NAME) throw malformed();
  const name = entry.vector(2);
  entry.mustEnd();
  if (name.length === 0 || name.length > 255) throw malformed();
  return name.toString('latin1');
}

class Cursor {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#buffer.length;
  }

  bytes(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#buffer.length) throw malformed();
    const taken = this.#buffer.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  number(size: number): number {
    return this.bytes(size).readUIntBE(0, size);
  }

  /** Bytes after their own length, which has `size` bytes. */
  vector(size: number): Buffer {
    return this.bytes(this.number(size));
  }

  mustEnd(): void {
    if (!this.isAtEnd) throw malformed();
  }
}

function malformed(): Refused {
  return new Refused('hello-malformed');
}
