import {
  type ChainPoint,
  type EntryId,
  placeEntry,
  type PreparedEntry,
  type SealedEntry,
} from '@palyra/kernel';
import type { ByteWriter } from './byte-writer.ts';
import { idAfter } from './id-after.ts';
import { hashHex } from './platform-hash.ts';
import { corrupt } from './store.ts';

export interface SealerOptions {
  /** The entry that the first one follows. */
  readonly after: ChainPoint;
  readonly firstId: EntryId;
  readonly time: string;
  readonly bytes: ByteWriter;
}

/** Gives the entries of one commit their places, ids and hashes, in order. */
export class Sealer {
  readonly sealed: SealedEntry[] = [];
  readonly time: string;
  readonly #bytes: ByteWriter;
  #sequence: number;
  #hash: string;
  #id: EntryId;

  constructor({ after, firstId, time, bytes }: SealerOptions) {
    this.#bytes = bytes;
    this.time = time;
    this.#sequence = after.sequence;
    this.#hash = after.hash;
    this.#id = firstId;
  }

  /** Of the entry that was sealed last. */
  get sequence(): number {
    return this.#sequence;
  }

  seal(prepared: PreparedEntry): SealedEntry {
    // Within a batch ids are counted up, which is what a ULID does within a millisecond.
    if (this.sealed.length > 0) this.#id = following(this.#id);
    this.#sequence += 1;
    const id = this.#id;
    const sequence = this.#sequence;
    const { time } = this;
    const previousHash = this.#hash;
    const canonical = this.#bytes.write(placeEntry(prepared, { id, sequence, time, previousHash }));
    const hash = hashHex(canonical);
    // One object spread, and first: a second one would cost more than all the rest of this.
    const entry = { ...prepared.draft, id, sequence, time, previousHash, hash, canonical };
    this.#hash = hash;
    this.sealed.push(entry);
    return entry;
  }
}

export function following(id: string): EntryId {
  const after = idAfter<'entry'>(id);
  if (after === undefined) throw corrupt('there is no id after the last one');
  return after;
}
