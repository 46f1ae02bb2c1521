import {
  canonicalJson,
  canonicalKeys,
  isJsonObject,
  type Json,
  type JsonObject,
  MAX_JSON_DEPTH,
} from './canonical-json.ts';
import { type EntryId, type Id, parseId, type RunId, type SessionId } from './ids.ts';
import { isJournalKind, type JournalKind } from './journal-kinds.ts';
import type { Bytes } from './sha256.ts';

/** What a caller wants written. The journal adds id, sequence, time and the link to the entry before. */
export interface EntryDraft {
  readonly kind: JournalKind;
  readonly actor: string;
  readonly runId?: RunId;
  readonly sessionId?: SessionId;
  /** The JSON form of the kind's message. */
  readonly payload: JsonObject;
}

/** An entry that is on disk. `canonical` is what was hashed; everything else was read from it. */
export interface SealedEntry extends EntryDraft {
  readonly id: EntryId;
  readonly sequence: number;
  readonly time: string;
  readonly previousHash: string;
  readonly hash: string;
  readonly canonical: Bytes;
}

export const ENTRY_FORMAT = 'palyra.journal.v1';
/** What the first entry names as the one before it. */
export const GENESIS_HASH = '0'.repeat(64);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What the journal adds to a draft. */
export type EntryPlace = Pick<SealedEntry, 'id' | 'sequence' | 'time' | 'previousHash'>;

/** A draft as text, all but its place: what remains to be done in the commit is little. */
export interface PreparedEntry {
  readonly draft: EntryDraft;
  /** INVARIANT: of its canonical bytes, with the longest place that there is. */
  readonly limitBytes: number;
  readonly actor: string;
  readonly payload: string;
  readonly run: string;
  readonly session: string;
}

/** Two keys, two quoted ids, a quoted time, hash and sequence number: below this in every entry. */
export const PLACE_BYTES = 512;

/** Contract: throws a TypeError for a draft that JSON cannot say exactly, as `canonicalJson` does. */
export function prepareEntry(draft: EntryDraft): PreparedEntry {
  const actor = canonicalJson(draft.actor);
  const payload = payloadText(draft.payload);
  return {
    draft,
    // Three bytes are the most that UTF-8 needs for one code unit of UTF-16.
    limitBytes: PLACE_BYTES + 3 * (actor.length + payload.length),
    actor,
    payload,
    // Ids are ULIDs by their type: nothing in them needs escaping.
    run: draft.runId === undefined ? '' : `"runId":"${draft.runId}",`,
    session: draft.sessionId === undefined ? '' : `"sessionId":"${draft.sessionId}",`,
  };
}

/**
 * What `canonicalJson` writes, by the platform where that writes the same: one flat text, made in
 * half the time. Whatever is unusual is left to `canonicalJson`, which may refuse it.
 */
function payloadText(payload: JsonObject): string {
  const ordered = inKeyOrder(payload, 0);
  if (ordered === undefined) return canonicalJson(payload);
  const text = JSON.stringify(ordered);
  // The platform escapes half a surrogate pair, which has no place in an entry.
  return text.includes('\\ud') ? canonicalJson(payload) : text;
}

/** Contract: the same value, all keys in order, for the platform to write; else `undefined`. */
function inKeyOrder(value: unknown, depth: number): Json | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (depth >= MAX_JSON_DEPTH) return undefined;
  if (Array.isArray(value)) return itemsInKeyOrder(value, depth);
  if (!isJsonObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  return fieldsInKeyOrder(value, depth);
}

function itemsInKeyOrder(items: readonly unknown[], depth: number): Json | undefined {
  const ordered: Json[] = [];
  for (const item of items) {
    const value = typeof item === 'string' ? item : inKeyOrder(item, depth + 1);
    if (value === undefined) return undefined;
    ordered.push(value);
  }
  return ordered;
}

function fieldsInKeyOrder(fields: JsonObject, depth: number): Json | undefined {
  const ordered: JsonObject = {};
  for (const key of canonicalKeys(fields)) {
    const field = fields[key];
    // Most are text: not worth another call.
    const value = typeof field === 'string' ? field : inKeyOrder(field, depth + 1);
    if (value === undefined || !keepsItsPlace(key)) return undefined;
    ordered[key] = value;
  }
  return ordered;
}

const COLON = 0x3a;

/** Digits sort before other keys, as numbers; `__proto__` is no key of a copy at all. */
function keepsItsPlace(key: string): boolean {
  return key.charCodeAt(0) >= COLON && key !== '__proto__';
}

/**
 * The text whose UTF-8 bytes are hashed: the RFC 8785 form of the entry's JSON.
 * Written out by hand, keys in canonical order, because every append pays for it;
 * the test compares it with `canonicalJson` of the whole.
 */
export function placeEntry(prepared: PreparedEntry, place: EntryPlace): string {
  return (
    `{"actor":${prepared.actor},"format":"${ENTRY_FORMAT}","id":"${place.id}",` +
    `"kind":"${prepared.draft.kind}","payload":${prepared.payload},` +
    `"previousHash":"${place.previousHash}",${prepared.run}"sequence":"${place.sequence}",` +
    `${prepared.session}"time":"${place.time}"}`
  );
}

/**
 * Reads an entry from its canonical bytes; `hash` is theirs.
 * Contract: `undefined` for bytes that no journal of this version has written.
 */
export function decodeEntry(canonical: Bytes, hash: string): SealedEntry | undefined {
  const fields = parseObject(canonical);
  if (fields === undefined || fields['format'] !== ENTRY_FORMAT) return undefined;
  const place = readPlace(fields);
  const draft = readDraft(fields);
  if (place === undefined || draft === undefined) return undefined;
  return { ...draft, ...place, hash, canonical };
}

const HASH_PATTERN = /^[0-9a-f]{64}$/;
const SEQUENCE_PATTERN = /^[1-9][0-9]{0,15}$/;
const TIME_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function parseObject(bytes: Bytes): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Neither UTF-8 nor JSON: not an entry, which is the caller's to judge.
    return undefined;
  }
}

function readPlace(fields: JsonObject): EntryPlace | undefined {
  const { id, sequence, time, previousHash } = fields;
  if (typeof id !== 'string' || typeof sequence !== 'string') return undefined;
  if (typeof time !== 'string' || typeof previousHash !== 'string') return undefined;
  const entryId = parseId<'entry'>(id);
  if (entryId === undefined || !SEQUENCE_PATTERN.test(sequence)) return undefined;
  if (!TIME_PATTERN.test(time) || !HASH_PATTERN.test(previousHash)) return undefined;
  return { id: entryId, sequence: Number(sequence), time, previousHash };
}

function readDraft(fields: JsonObject): EntryDraft | undefined {
  const { kind, actor, payload } = fields;
  if (typeof kind !== 'string' || !isJournalKind(kind)) return undefined;
  if (typeof actor !== 'string' || !isJsonObject(payload)) return undefined;
  const runId = readId<'run'>(fields['runId']);
  const sessionId = readId<'session'>(fields['sessionId']);
  if (runId === 'malformed' || sessionId === 'malformed') return undefined;
  return {
    kind,
    actor,
    payload,
    ...(runId === undefined ? {} : { runId }),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

function readId<Kind extends string>(field: Json | undefined): Id<Kind> | 'malformed' | undefined {
  if (field === undefined) return undefined;
  return (typeof field === 'string' ? parseId<Kind>(field) : undefined) ?? 'malformed';
}
