import type { Bytes, Turns } from '@palyra/kernel';
import { type EntryTest, testFor } from './entry-filter.ts';
import type { EntryFilter, StoredEntry } from './journal.ts';
import { hashHex } from './platform-hash.ts';
import type { Entries, Range } from './tables/entries.ts';

export interface Search {
  /** Newest first, from the end of it. */
  readonly range: Range;
  readonly limit: number;
  readonly filter: EntryFilter;
  readonly signal?: AbortSignal | undefined;
}

export interface Found {
  /** Newest first. */
  readonly entries: readonly StoredEntry[];
  /** Everything of the range from this one on was looked at. */
  readonly searchedTo: number;
}

/** One search looks at so much and then says how far it came. */
export const MOST_SEARCHED = 20_000;
const MOST_SEARCHED_BYTES = 64 * 1024 * 1024;
/** What is found fits into the smallest message that may be set; one entry is always given. */
const MOST_FOUND_BYTES = 2 * 1024 * 1024;
/** Looked at before others get a turn: a millisecond or two. */
const TURN_ENTRIES = 256;
const TURN_BYTES = 512 * 1024;

/** Looks backwards through the entries of a range. Contract: ends with what it has once it is aborted. */
export async function searchBackwards(
  entries: Pick<Entries, 'backwards'>,
  search: Search,
  turns: Turns,
): Promise<Found> {
  const looking = new Looking(search);
  for (;;) {
    await turns.next();
    if (search.signal?.aborted === true) return looking.found;
    if (looking.lookOn(entries) === 'done') return looking.found;
  }
}

class Looking {
  readonly #search: Search;
  readonly #fits: EntryTest;
  readonly #found: StoredEntry[] = [];
  #foundBytes = 0;
  #searchedTo: number;
  #searched = 0;
  #searchedBytes = 0;

  constructor(search: Search) {
    this.#search = search;
    this.#searchedTo = search.range.upTo + 1;
    this.#fits = testFor(search.filter);
  }

  get found(): Found {
    return { entries: this.#found, searchedTo: this.#searchedTo };
  }

  lookOn(entries: Pick<Entries, 'backwards'>): 'done' | 'more' {
    const { range, limit } = this.#search;
    const before = { searched: this.#searched, bytes: this.#searchedBytes };
    const rest = { after: range.after, upTo: this.#searchedTo - 1 };
    for (const [sequence, canonical] of entries.backwards(rest, TURN_ENTRIES)) {
      if (!this.#take(canonical)) return 'done';
      this.#searchedTo = sequence;
      if (this.#found.length >= limit || this.#isTired()) return 'done';
      if (this.#searchedBytes - before.bytes >= TURN_BYTES) return 'more';
    }
    if (this.#searched - before.searched === TURN_ENTRIES) return 'more';
    this.#searchedTo = range.after + 1;
    return 'done';
  }

  /** Contract: false for one that fits and is left for the next search, because it is too much for this one. */
  #take(canonical: Bytes): boolean {
    if (this.#fits(canonical)) {
      if (this.#found.length > 0 && this.#foundBytes + canonical.length > MOST_FOUND_BYTES) {
        return false;
      }
      this.#found.push({ canonical, hash: hashHex(canonical) });
      this.#foundBytes += canonical.length;
    }
    this.#searched += 1;
    this.#searchedBytes += canonical.length;
    return true;
  }

  #isTired(): boolean {
    return this.#searched >= MOST_SEARCHED || this.#searchedBytes >= MOST_SEARCHED_BYTES;
  }
}
