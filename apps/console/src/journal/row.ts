import type { JournalEntry } from '@palyra/protocol';
import { readEntry } from './read-entry.ts';

export interface RowBytes {
  readonly hash: string;
  readonly canonical: Uint8Array;
}

/** An entry of the list: its bytes, and what they say once somebody looks at it. */
export class Row {
  readonly hash: string;
  readonly canonical: Uint8Array;
  #read: { readonly entry: JournalEntry | undefined } | undefined;

  constructor({ hash, canonical }: RowBytes) {
    this.hash = hash;
    this.canonical = canonical;
  }

  /** Contract: `undefined` for what nobody can read. */
  get entry(): JournalEntry | undefined {
    this.#read ??= { entry: readable(this.canonical) };
    return this.#read.entry;
  }
}

function readable(canonical: Uint8Array): JournalEntry | undefined {
  try {
    return readEntry({ canonical });
  } catch {
    // Damaged in the store: it is listed all the same, because that is what one came to see.
    return undefined;
  }
}
