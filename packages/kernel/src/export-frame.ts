import { canonicalBytes, canonicalJson, isJsonObject, type JsonObject } from './canonical-json.ts';
import { PalyraError } from './errors.ts';
import { HEADER_FORMAT, TRAILER_FORMAT } from './export-writer.ts';
import { parseId } from './ids.ts';
import { fromBase64, parseHead, type SignedHead } from './journal-chain.ts';
import { type Bytes, fromHex } from './sha256.ts';
import { PUBLIC_KEY_BYTES } from './signature.ts';

/** The first line of an export, as it was read. */
export interface Header {
  readonly line: Uint8Array;
  readonly runId?: string;
  readonly previousHash: string;
  /** Absent: the first entry itself tells. */
  readonly firstSequence?: number;
  readonly publicKey: Bytes;
}

/** The last line of an export, as it was read. */
export interface Trailer {
  readonly count: string;
  readonly digest: string;
  readonly head: SignedHead | undefined;
  readonly lastHash: string | undefined;
  /** Of the entries of one run: see `SeenLines`. */
  readonly marks: Bytes | undefined;
  readonly signed: Bytes;
  readonly signature: Bytes;
}

/** Contract: throws EXPORT_MALFORMED for a line that begins no export. */
export function readHeader(line: Uint8Array): Header {
  const fields = parseCanonical(line);
  if (fields?.['format'] !== HEADER_FORMAT) throw malformed('its first line is not a header');
  const { runId, previousHash = '', firstSequence, publicKey } = fields;
  const key = typeof publicKey === 'string' ? fromBase64(publicKey) : undefined;
  if (key?.length !== PUBLIC_KEY_BYTES) throw malformed('its header names no key');
  if (typeof previousHash !== 'string') throw malformed('its header is not whole');
  if (runId === undefined) {
    if (fromHex(previousHash)?.length !== 32)
      throw malformed('its header does not say where it starts');
    const range = { line, previousHash, publicKey: key };
    const first = Number(firstSequence);
    return Number.isSafeInteger(first) && first > 0 ? { ...range, firstSequence: first } : range;
  }
  if (typeof runId !== 'string' || parseId(runId) === undefined) {
    throw malformed('its header names no run');
  }
  return { line, runId, previousHash: '', publicKey: key };
}

/** Contract: `undefined` for a line that ends no export; nothing about it is proven yet. */
export function readTrailer(line: Uint8Array): Trailer | undefined {
  const fields = parseCanonical(line);
  if (fields?.['format'] !== TRAILER_FORMAT) return undefined;
  const { signature, ...unsigned } = fields;
  const { count, digest, head, lastHash, marks } = unsigned;
  if (typeof count !== 'string' || typeof digest !== 'string') return undefined;
  const signed = typeof signature === 'string' ? fromBase64(signature) : undefined;
  const parsedHead = parseHead(head);
  if (signed === undefined || (head !== undefined && parsedHead === undefined)) return undefined;
  return {
    count,
    digest,
    head: parsedHead,
    lastHash: typeof lastHash === 'string' ? lastHash : undefined,
    marks: typeof marks === 'string' ? fromBase64(marks) : undefined,
    signed: canonicalBytes(unsigned),
    signature: signed,
  };
}

/** Contract: `undefined` unless the line is JSON in its canonical spelling, and an object. */
function parseCanonical(line: Uint8Array): JsonObject | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && canonicalJson(value) === text ? value : undefined;
  } catch {
    // Not JSON: the callers say what that means for the line they read.
    return undefined;
  }
}

export function malformed(what: string): PalyraError {
  return new PalyraError('EXPORT_MALFORMED', `not a journal export: ${what}`);
}
