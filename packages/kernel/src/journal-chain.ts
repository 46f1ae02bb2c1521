import { canonicalBytes, isJsonObject, type Json, type JsonObject } from './canonical-json.ts';
import { ENTRY_FORMAT, GENESIS_HASH } from './journal-entry.ts';
import { type Bytes, fromHex } from './sha256.ts';
import { type Signer, verifySignature } from './signature.ts';

/** Where a chain stands: the entry that was seen last. */
export interface ChainPoint {
  readonly sequence: number;
  readonly hash: string;
}

export const GENESIS: ChainPoint = { sequence: 0, hash: GENESIS_HASH };

/** The first entry that is not what the chain says. */
export interface ChainFault {
  /** 0 where it is no entry, but the lines around them in an export. */
  readonly sequence: number;
  /** As far as it could be read. */
  readonly entryId?: string;
  readonly reason: string;
}

/** An entry's bytes, and the same as text with a character for each byte: text is faster to search. */
export interface EntryView {
  readonly canonical: Uint8Array;
  /** Of `canonical`, which whoever only looks at the text need not ask for. */
  readonly length: number;
  /** May hold more than this entry, or only the end of it. */
  readonly text: string;
  /** Where the entry begins in `text`; negative when that holds only its end. */
  readonly at: number;
  /** Set by whoever has hashed these very bytes already. */
  readonly hash?: string | undefined;
}

/** What the end of an entry's canonical bytes says about its place. Offsets count from its begin. */
export interface EntryLink {
  readonly sequence: number;
  /** Where the 64 hex digits of the previous hash begin. */
  readonly previousHashAt: number;
  /** Where the 26 characters of the run id begin; -1 for an entry without a run. */
  readonly runIdAt: number;
}

/** SHA-256 in lower-case hex. Text, because the platform makes that faster than an array of bytes. */
export type Sha256Hex = (bytes: Uint8Array) => string;

/** What comes after an entry and names its hash: the next entry, or the hash in a signed statement. */
export type Successor = () => Uint8Array | string | undefined;

/**
 * Follows a chain entry by entry. Pure: the daemon, the CLI and a browser all use this one.
 * Contract: after a fault it must not be fed again.
 */
export class ChainWalker {
  readonly #sha256Hex: Sha256Hex;
  #sequence: number;
  #hash: string;
  /** The entry that was fed last. */
  #before: EntryView | undefined;

  /** `before` is the entry at the start, where it is one of those that are checked. */
  constructor(start: ChainPoint, sha256Hex: Sha256Hex, before?: Uint8Array) {
    this.#sequence = start.sequence;
    this.#hash = start.hash;
    this.#sha256Hex = sha256Hex;
    this.#before = before === undefined ? undefined : viewEntry(before);
  }

  get point(): ChainPoint {
    return { sequence: this.#sequence, hash: this.#hash };
  }

  /** `next` is asked only when a link does not hold, to tell which end of it was changed. */
  feed(entry: EntryView, next: Successor = unknown): EntryLink | ChainFault {
    const link = readLink(entry);
    if (link === undefined) return this.#fault(entry, 'it is not an entry');
    const isLinked = entry.text.startsWith(this.#hash, entry.at + link.previousHashAt);
    const isNext = link.sequence === this.#sequence + 1;
    if (!isLinked || !isNext) {
      if (isLinked) return this.#fault(entry, `it is numbered ${link.sequence}`);
      return isNext ? this.#blame(entry, link, namedBy(next())) : this.#displaced(link);
    }
    this.#sequence = link.sequence;
    this.#hash = entry.hash ?? this.#sha256Hex(entry.canonical);
    this.#before = entry;
    return link;
  }

  /**
   * The entry names another hash than that of the entry before it. One of the two was changed, or
   * both; whoever comes next knows what the hash of the later one should be.
   */
  #blame(entry: EntryView, link: EntryLink, named: string | undefined): ChainFault {
    const { canonical } = entry;
    const before = this.#before?.canonical;
    if (before === undefined) return this.#fault(entry, 'it does not begin where it should');
    const changed = { sequence: this.#sequence, reason: 'its content was changed' };
    if (named === this.#sha256Hex(canonical)) return faultAt(before, changed);
    const isIntruder = named === this.#hash;
    const mended = canonical.slice();
    mended.set(asciiBytes(this.#hash), link.previousHashAt);
    if (isIntruder || named === this.#sha256Hex(mended)) {
      return this.#fault(entry, 'it does not follow from the entry before it');
    }
    return faultAt(before, { ...changed, reason: 'it or the entry after it was changed' });
  }

  #displaced(link: EntryLink): ChainFault {
    const reason = `entry ${link.sequence} stands in its place`;
    return { sequence: this.#sequence + 1, reason };
  }

  #fault({ canonical }: EntryView, reason: string): ChainFault {
    return faultAt(canonical, { sequence: this.#sequence + 1, reason });
  }
}

function unknown(): undefined {
  return undefined;
}

function namedBy(next: Uint8Array | string | undefined): string | undefined {
  return next instanceof Uint8Array ? previousHashOf(next) : next;
}

function asciiBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** What an entry says about the one before it. Contract: `undefined` for what is not an entry. */
export function previousHashOf(canonical: Uint8Array): string | undefined {
  const entry = viewEntry(canonical);
  const link = readLink(entry);
  if (link === undefined) return undefined;
  const from = entry.at + link.previousHashAt;
  return entry.text.slice(from, from + HASH_LENGTH);
}

export function isFault(step: EntryLink | ChainFault): step is ChainFault {
  return 'reason' in step;
}

/** Adds the id of the entry to a fault, where there is one to be read. */
export function faultAt(canonical: Uint8Array, fault: ChainFault): ChainFault {
  const entryId = entryIdOf(canonical);
  return entryId === undefined ? fault : { ...fault, entryId };
}

/** Contract: `undefined` where there is none to be read. */
export function entryIdOf(canonical: Uint8Array): string | undefined {
  return ID_PATTERN.exec(new TextDecoder().decode(canonical))?.[1];
}

// Quotes within a JSON string are escaped, so the first match is the entry's own key.
const ID_PATTERN = new RegExp(
  `"format":"${ENTRY_FORMAT.replaceAll('.', '\\.')}","id":"([0-9A-Z]{26})"`,
);

/** More than the end of an entry that `readLink` looks at. */
const TAIL_BYTES = 320;
/** Each byte becomes one character; those that are not ASCII do not matter here. */
const latin1 = new TextDecoder('latin1');

export function viewEntry(canonical: Uint8Array): EntryView {
  const tail = canonical.subarray(-TAIL_BYTES);
  const { length } = canonical;
  return { canonical, length, text: latin1.decode(tail), at: tail.length - length };
}

const ID_LENGTH = 26;
const HASH_LENGTH = 64;
const TIME_LENGTH = 24;
const MAX_DIGITS = 16;
const CLOSE = '"}';
const TIME = '","time":"';
const SESSION = '","sessionId":"';
const SEQUENCE = '","sequence":"';
const RUN = '","runId":"';
const PREVIOUS = '},"previousHash":"';
const ZERO = 0x30;

/**
 * Reads the end of an entry without parsing all of it. Nothing inside the payload can pass for it:
 * the payload closes with a brace before this begins, and quotes inside of strings are escaped.
 */
export function readLink({ length, text, at }: EntryView): EntryLink | undefined {
  const end = at + length;
  const timeAt = end - CLOSE.length - TIME_LENGTH;
  if (!endsAt(text, end, CLOSE) || !endsAt(text, timeAt, TIME)) return undefined;
  let rest = timeAt - TIME.length;
  if (endsAt(text, rest - ID_LENGTH, SESSION)) rest -= ID_LENGTH + SESSION.length;
  const digitsAt = startOfDigits(text, rest);
  if (digitsAt === undefined || !endsAt(text, digitsAt, SEQUENCE)) return undefined;
  const sequence = Number(text.slice(digitsAt, rest));
  rest = digitsAt - SEQUENCE.length;
  const hasRun = endsAt(text, rest - ID_LENGTH, RUN);
  const runIdAt = hasRun ? rest - ID_LENGTH - at : -1;
  if (hasRun) rest -= ID_LENGTH + RUN.length;
  const hashAt = rest - HASH_LENGTH;
  // Before the entry begins there may be another one in the same text.
  if (hashAt - PREVIOUS.length < at || !endsAt(text, hashAt, PREVIOUS)) return undefined;
  return { sequence, previousHashAt: hashAt - at, runIdAt };
}

function endsAt(text: string, end: number, pattern: string): boolean {
  return end >= pattern.length && text.startsWith(pattern, end - pattern.length);
}

/** Contract: `undefined` unless there are digits, not too many, and the first of them is not a zero. */
function startOfDigits(text: string, end: number): number | undefined {
  let start = end;
  while (end - start <= MAX_DIGITS && isDigit(text.charCodeAt(start - 1))) start -= 1;
  const length = end - start;
  if (length === 0 || length > MAX_DIGITS || text.charCodeAt(start) === ZERO) return undefined;
  return start;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
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
