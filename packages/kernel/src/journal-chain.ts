import { canonicalBytes, isJsonObject, type Json, type JsonObject } from './canonical-json.ts';
import { ENTRY_FORMAT, GENESIS_HASH } from './journal-entry.ts';
import { type Bytes, fromHex, type Sha256, toHex } from './sha256.ts';
import { type Signer, verifySignature } from './signature.ts';

/** Where a chain stands: the entry that was seen last. */
export interface ChainPoint {
  readonly sequence: number;
  readonly hash: string;
}

export const GENESIS: ChainPoint = { sequence: 0, hash: GENESIS_HASH };

/** The first entry that is not what the chain says. */
export interface ChainFault {
  readonly sequence: number;
  /** As far as it could be read. */
  readonly entryId?: string;
  readonly reason: string;
}

/** What the end of an entry's canonical bytes says about its place. */
export interface EntryLink {
  readonly sequence: number;
  /** Where the 64 hex digits of the previous hash begin. */
  readonly previousHashAt: number;
  /** Where the 26 characters of the run id begin; -1 for an entry without a run. */
  readonly runIdAt: number;
}

/**
 * Follows a chain entry by entry. Pure: the daemon, the CLI and a browser all use this one.
 * Contract: after a fault it must not be fed again.
 */
export class ChainWalker {
  readonly #sha256: Sha256;
  #sequence: number;
  #hash: Uint8Array;

  constructor(start: ChainPoint, sha256: Sha256) {
    const hash = fromHex(start.hash);
    if (hash?.length !== 32) throw new TypeError('a chain starts at a sha-256');
    this.#sequence = start.sequence;
    this.#hash = hash;
    this.#sha256 = sha256;
  }

  get point(): ChainPoint {
    return { sequence: this.#sequence, hash: toHex(this.#hash) };
  }

  /** Of the entry that was fed last. */
  get hash(): Uint8Array {
    return this.#hash;
  }

  feed(canonical: Uint8Array): EntryLink | ChainFault {
    const sequence = this.#sequence + 1;
    const link = readLink(canonical);
    const reason = this.#judge(canonical, link);
    if (link === undefined || reason !== undefined) {
      return faultAt(canonical, { sequence, reason: reason ?? 'it is not an entry' });
    }
    this.#sequence = sequence;
    this.#hash = this.#sha256(canonical);
    return link;
  }

  #judge(canonical: Uint8Array, link: EntryLink | undefined): string | undefined {
    if (link === undefined) return 'it is not an entry';
    if (!holdsHash(canonical, link.previousHashAt, this.#hash)) {
      return 'it does not follow from the entry before it';
    }
    if (link.sequence !== this.#sequence + 1) return `it is numbered ${link.sequence}`;
    return undefined;
  }
}

export function isFault(step: EntryLink | ChainFault): step is ChainFault {
  return 'reason' in step;
}

/** Adds the id of the entry to a fault, where there is one to be read. */
export function faultAt(canonical: Uint8Array, fault: ChainFault): ChainFault {
  const text = new TextDecoder().decode(canonical);
  const entryId = ID_PATTERN.exec(text)?.[1];
  return entryId === undefined ? fault : { ...fault, entryId };
}

// Quotes within a JSON string are escaped, so the first match is the entry's own key.
const ID_PATTERN = new RegExp(
  `"format":"${ENTRY_FORMAT.replaceAll('.', '\\.')}","id":"([0-9A-Z]{26})"`,
);

const ID_LENGTH = 26;
const HASH_LENGTH = 64;
const TIME_LENGTH = 24;
const MAX_DIGITS = 16;

/**
 * Reads the end of an entry without parsing all of it. Nothing inside the payload can pass for it:
 * the payload closes with a brace before this begins, and quotes inside of strings are escaped.
 */
export function readLink(bytes: Uint8Array): EntryLink | undefined {
  const timeAt = bytes.length - CLOSE.length - TIME_LENGTH;
  if (!endsAt(bytes, bytes.length, CLOSE) || !endsAt(bytes, timeAt, TIME)) return undefined;
  let end = timeAt - TIME.length;
  const sessionAt = end - NEXT.length - ID_LENGTH;
  if (endsAt(bytes, end, NEXT) && endsAt(bytes, sessionAt, SESSION))
    end = sessionAt - SESSION.length;
  if (!endsAt(bytes, end, NEXT)) return undefined;
  const digitsEnd = end - NEXT.length;
  const digitsAt = startOfDigits(bytes, digitsEnd);
  if (digitsAt === undefined || !endsAt(bytes, digitsAt, SEQUENCE)) return undefined;
  end = digitsAt - SEQUENCE.length;
  const runAt = end - NEXT.length - ID_LENGTH;
  const hasRun = endsAt(bytes, end, NEXT) && endsAt(bytes, runAt, RUN);
  if (hasRun) end = runAt - RUN.length;
  const previousHashAt = end - NEXT.length - HASH_LENGTH;
  if (!endsAt(bytes, end, NEXT) || !endsAt(bytes, previousHashAt, PREVIOUS)) return undefined;
  return {
    sequence: readDigits(bytes, digitsAt, digitsEnd),
    previousHashAt,
    runIdAt: hasRun ? runAt : -1,
  };
}

const encoder = new TextEncoder();
const CLOSE = encoder.encode('"}');
const NEXT = encoder.encode('",');
const TIME = encoder.encode('"time":"');
const SESSION = encoder.encode('"sessionId":"');
const SEQUENCE = encoder.encode('"sequence":"');
const RUN = encoder.encode('"runId":"');
const PREVIOUS = encoder.encode('},"previousHash":"');
const ZERO = 0x30;

function endsAt(bytes: Uint8Array, end: number, pattern: Uint8Array): boolean {
  const start = end - pattern.length;
  if (start < 0) return false;
  for (let place = pattern.length - 1; place >= 0; place -= 1) {
    if (bytes[start + place] !== pattern[place]) return false;
  }
  return true;
}

/** Contract: `undefined` unless there are digits, not too many, and the first of them is not a zero. */
function startOfDigits(bytes: Uint8Array, end: number): number | undefined {
  let start = end;
  while (end - start <= MAX_DIGITS && isDigit(bytes[start - 1])) start -= 1;
  const length = end - start;
  return length === 0 || length > MAX_DIGITS || bytes[start] === ZERO ? undefined : start;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= ZERO + 9;
}

function readDigits(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let place = start; place < end; place += 1) value = value * 10 + (bytes[place] ?? 0) - ZERO;
  return value;
}

const HEX = encoder.encode('0123456789abcdef');

function holdsHash(bytes: Uint8Array, at: number, hash: Uint8Array): boolean {
  for (let place = 0; place < hash.length; place += 1) {
    const byte = hash[place] ?? 0;
    if (bytes[at + 2 * place] !== HEX[byte >> 4]) return false;
    if (bytes[at + 2 * place + 1] !== HEX[byte & 15]) return false;
  }
  return true;
}

export const HEAD_FORMAT = 'palyra.head.v1';

/** The signed statement that the chain ends here (JournalHead on the wire). */
export interface SignedHead extends ChainPoint {
  readonly time: string;
  readonly keyId: string;
  readonly signature: Bytes;
}

export function signHead(point: ChainPoint, time: string, signer: Signer): SignedHead {
  const head = { sequence: point.sequence, hash: point.hash, time, keyId: signer.keyId };
  return { ...head, signature: signer.sign(headBytes(head)) };
}

export function verifyHead(head: SignedHead, publicKey: Bytes): Promise<boolean> {
  return verifySignature(publicKey, headBytes(head), head.signature);
}

/** The bytes that are signed: the canonical JSON of every field but the signature. */
export function headBytes(head: Omit<SignedHead, 'signature'>): Bytes {
  return canonicalBytes(headFields(head));
}

export function headJson(head: SignedHead): JsonObject {
  return { ...headFields(head), signature: head.signature.toBase64() };
}

/** Contract: `undefined` for anything that `headJson` has not written; the signature is not checked. */
export function parseHead(json: Json | undefined): SignedHead | undefined {
  if (!isJsonObject(json) || json['format'] !== HEAD_FORMAT) return undefined;
  const { sequence, hash, time, keyId, signature } = json;
  if (typeof sequence !== 'string' || !/^(0|[1-9][0-9]{0,15})$/.test(sequence)) return undefined;
  if (typeof hash !== 'string' || typeof time !== 'string') return undefined;
  if (typeof keyId !== 'string' || typeof signature !== 'string') return undefined;
  const signed = fromBase64(signature);
  if (signed === undefined || fromHex(hash)?.length !== 32) return undefined;
  return { sequence: Number(sequence), hash, time, keyId, signature: signed };
}

/** Contract: `undefined` unless the text is the one spelling of some bytes. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' });
    return bytes.toBase64() === text ? bytes : undefined;
  } catch {
    // Not base64 at all; the caller decides what that means.
    return undefined;
  }
}

function headFields(head: Omit<SignedHead, 'signature'>): JsonObject {
  const { hash, time, keyId } = head;
  return { format: HEAD_FORMAT, hash, keyId, sequence: `${head.sequence}`, time };
}
