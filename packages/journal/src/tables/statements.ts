import {
  type Bytes,
  canonicalBytes,
  type ChainPoint,
  fromHex,
  GENESIS,
  headBytes,
  isJsonObject,
  type JsonObject,
  parseHead,
  type SignedHead,
  type Signer,
} from '@palyra/kernel';
import { bytesAt, type Database, numberAt, type Statement, textAt } from '../database.ts';

const START_FORMAT = 'palyra.start.v1';
const HEAD = 'head';
const START = 'start';

/** The head, and beside it how full the open segment is: both change with every commit. */
export interface StoredHead {
  readonly head: SignedHead;
  readonly segmentBytes: number;
}

/** The signed statement that the store begins after these entries (JournalStart on the wire). */
export interface SignedStart {
  readonly point: ChainPoint;
  readonly canonical: Bytes;
  readonly signature: Bytes;
}

/**
 * Table `statements`: what the key says about the store as a whole. INVARIANT: only the newest of
 * each is kept. An older head that lay about would let a cut journal pass for a whole one.
 */
export class Statements {
  readonly #write: Statement;
  readonly #read: Statement;
  readonly #names: Statement;

  constructor(database: Database) {
    this.#write = database.prepare(
      'INSERT OR REPLACE INTO statements (name, canonical, signature, segment_bytes) VALUES (?, ?, ?, ?)',
    );
    this.#read = database.prepare(
      'SELECT canonical, signature, segment_bytes FROM statements WHERE name = ?',
    );
    this.#names = database.prepare('SELECT name FROM statements ORDER BY name');
  }

  /** True when there is a row that no statement of ours is in. */
  hasStrangers(): boolean {
    return Array.from(this.#names.each(), (row) => textAt(row, 0)).some(
      (name) => name !== HEAD && name !== START,
    );
  }

  writeHead({ head, segmentBytes }: StoredHead): void {
    this.#write.run(HEAD, headBytes(head), head.signature, segmentBytes);
  }

  /** Contract: `undefined` when it is missing or malformed; its signature is not checked. */
  readHead(): StoredHead | undefined {
    const row = this.#read.get(HEAD);
    if (row === undefined) return undefined;
    const fields = parse(bytesAt(row, 0));
    if (fields === undefined) return undefined;
    const head = parseHead({ ...fields, signature: bytesAt(row, 1).toBase64() });
    if (head === undefined || !isSame(headBytes(head), bytesAt(row, 0))) return undefined;
    return { head, segmentBytes: numberAt(row, 2) };
  }

  writeStart(point: ChainPoint, signer: Signer): void {
    const canonical = startBytes(point, signer.keyId);
    this.#write.run(START, canonical, signer.sign(canonical), 0);
  }

  /** Contract: `undefined` for a store that begins with the first entry, `malformed` for a bad one. */
  readStart(keyId: string): SignedStart | 'malformed' | undefined {
    const row = this.#read.get(START);
    if (row === undefined) return undefined;
    const canonical = bytesAt(row, 0);
    const fields = parse(canonical);
    if (fields === undefined) return 'malformed';
    const { sequence, hash } = fields;
    if (numberAt(row, 2) !== 0) return 'malformed';
    if (typeof sequence !== 'string' || typeof hash !== 'string') return 'malformed';
    const point = { sequence: Number(sequence), hash };
    if (!Number.isSafeInteger(point.sequence) || fromHex(hash)?.length !== 32) return 'malformed';
    if (!isSame(startBytes(point, keyId), canonical)) return 'malformed';
    return { point, canonical, signature: bytesAt(row, 1) };
  }
}

export function startPoint(start: SignedStart | undefined): ChainPoint {
  return start?.point ?? GENESIS;
}

function startBytes(point: ChainPoint, keyId: string): Bytes {
  const { sequence, hash } = point;
  return canonicalBytes({ format: START_FORMAT, hash, keyId, sequence: `${sequence}` });
}

function parse(bytes: Bytes): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Not JSON: both readers treat it as a statement that nobody has made.
    return undefined;
  }
}

function isSame(a: Bytes, b: Bytes): boolean {
  return a.length === b.length && a.every((byte, place) => byte === b[place]);
}
