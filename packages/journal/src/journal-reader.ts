import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Bytes,
  decodeEntry,
  type EntryId,
  type SealedEntry,
  type Turns,
} from '@palyra/kernel';
import { searchBackwards } from './entry-search.ts';
import { momentOf } from './id-moment.ts';
import type { EntriesPage, EntriesQuery, EntryFilter, PageQuery } from './journal.ts';
import { hashHex } from './platform-hash.ts';
import type { RunBook } from './run-book.ts';
import { corrupt, type Store, type StoreState } from './store.ts';
import type { Range } from './tables/entries.ts';

/** A page never holds more than this, however large its entries are; but always one entry. */
const PAGE_BYTES = 8 * 1024 * 1024;
const MAX_PAGE = 1000;
/** Entries that are searched for those of a run before others get a turn. */
const SEARCH_WINDOW = 2048;

export interface ReaderParts {
  readonly store: Store;
  readonly runBook: RunBook;
  readonly state: () => StoreState;
  /** Shared by all who read through much of the store. */
  readonly turns: Turns;
}

/** Reads entries of the open store, up to the one that is durable. */
export class JournalReader {
  readonly #store: Store;
  readonly #runBook: RunBook;
  readonly #state: () => StoreState;
  readonly #turns: Turns;

  constructor({ store, runBook, state, turns }: ReaderParts) {
    this.#store = store;
    this.#runBook = runBook;
    this.#state = state;
    this.#turns = turns;
  }

  find(id: EntryId | number): SealedEntry | undefined {
    return typeof id === 'number' ? this.#at(id) : this.#withId(id);
  }

  async page({ after, limit, runId }: PageQuery): Promise<readonly SealedEntry[]> {
    const { start, head } = this.#state();
    const range = { after: Math.max(after, start.sequence), upTo: head.sequence };
    const most = Math.min(limit, MAX_PAGE);
    if (runId === undefined) return take(this.#store.entries.range(range, most)).entries;
    const span = this.#runBook.span(runId);
    if (span === undefined) return [];
    const first = Math.max(range.after, span.firstSequence - 1);
    const last = Math.min(range.upTo, span.lastSequence);
    return this.#search({ after: first, limit: most, runId }, last);
  }

  async list({ before, limit, signal, ...filter }: EntriesQuery): Promise<EntriesPage> {
    const newestSequence = this.#state().head.sequence;
    const end = Math.min(before ?? newestSequence + 1, newestSequence + 1);
    const range = this.#rangeOf(filter, end);
    const search = { range, limit: Math.min(limit, MAX_PAGE), filter, signal };
    const found = await searchBackwards(this.#store.entries, search, this.#turns);
    const { entries, searchedTo } = found;
    const isEnd = searchedTo <= range.after + 1;
    return { entries, searchedTo: Math.min(searchedTo, end), isEnd, newestSequence };
  }

  /** Between which entries those that fit can lie at all; `end` is not part of it. */
  #rangeOf({ runId, since, until }: EntryFilter, end: number): Range {
    const span = runId === undefined ? undefined : (this.#runBook.span(runId) ?? NOWHERE);
    const first = Math.max(
      this.#state().start.sequence + 1,
      span?.firstSequence ?? 1,
      since === undefined ? 1 : this.#firstAt(since.getTime()),
    );
    const last = Math.min(
      end - 1,
      span?.lastSequence ?? end,
      until === undefined ? end : this.#firstAt(until.getTime()) - 1,
    );
    return { after: first - 1, upTo: last };
  }

  async #search(query: Required<PageQuery>, last: number): Promise<readonly SealedEntry[]> {
    const found: SealedEntry[] = [];
    let bytes = 0;
    let { after } = query;
    while (after < last && found.length < query.limit) {
      const upTo = Math.min(after + SEARCH_WINDOW, last);
      const rest = query.limit - found.length;
      const window = take(this.#store.entries.ofRun({ after, upTo }, query.runId, rest));
      found.push(...window.entries);
      bytes += window.bytes;
      if (window.isCut || bytes > PAGE_BYTES) break;
      after = upTo;
      if (after < last && found.length < query.limit) await nextTurn();
    }
    return found;
  }

  #at(sequence: number): SealedEntry | undefined {
    const { start, head } = this.#state();
    if (sequence <= start.sequence || sequence > head.sequence) return undefined;
    const canonical = this.#store.entries.read(sequence);
    if (canonical === undefined) throw corrupt(`entry ${sequence} is missing`);
    return decode(canonical, sequence);
  }

  #withId(id: EntryId): SealedEntry | undefined {
    const entry = this.#at(this.#firstWhere((other) => other >= id));
    return entry?.id === id ? entry : undefined;
  }

  #firstAt(moment: number): number {
    return this.#firstWhere((id) => momentOf(id) >= moment);
  }

  /**
   * Ids rise with the sequence, so halving finds one without an index. Contract: one more than the
   * last when none of them is.
   */
  #firstWhere(isReached: (id: EntryId) => boolean): number {
    let low = this.#state().start.sequence + 1;
    let high = this.#state().head.sequence + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const entry = this.#at(middle);
      if (entry === undefined || isReached(entry.id)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** The span of a run that nobody knows. */
const NOWHERE = { firstSequence: 1, lastSequence: 0 };

interface Taken {
  readonly entries: readonly SealedEntry[];
  readonly bytes: number;
  /** There was more than a page may hold. */
  readonly isCut: boolean;
}

function take(rows: Iterable<Bytes>): Taken {
  const entries: SealedEntry[] = [];
  let bytes = 0;
  for (const canonical of rows) {
    if (entries.length > 0 && bytes + canonical.length > PAGE_BYTES)
      return { entries, bytes, isCut: true };
    bytes += canonical.length;
    entries.push(decode(canonical));
  }
  return { entries, bytes, isCut: false };
}

function decode(canonical: Bytes, sequence?: number): SealedEntry {
  const entry = decodeEntry(canonical, hashHex(canonical));
  if (entry === undefined || (sequence !== undefined && entry.sequence !== sequence)) {
    throw corrupt(`entry ${sequence ?? 'in this page'} cannot be read`);
  }
  return entry;
}
