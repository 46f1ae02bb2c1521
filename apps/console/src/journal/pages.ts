import { PalyraError } from '@palyra/kernel';
import { gateway } from '../wire/gateway.ts';
import { type JournalFilter, askedBy } from './filter.ts';
import { readEntry } from './read-entry.ts';
import { Row } from './row.ts';

/** The page never asks for more at once, however long the journal is. */
export const PAGE_ENTRIES = 100;

/** Newest first. */
export interface EntryPage {
  readonly rows: readonly Row[];
  /** Everything from here on was looked at. */
  readonly searchedTo: bigint;
  /** Of the whole journal, when it was asked. */
  readonly newest: bigint;
  readonly isEnd: boolean;
}

export interface Wanted {
  readonly filter: JournalFilter;
  readonly signal: AbortSignal;
}

/** Entries before one of them; 0 for the newest. */
export async function pageBefore(before: bigint, { filter, signal }: Wanted): Promise<EntryPage> {
  const request = { ...askedBy(filter), beforeSequence: before, limit: PAGE_ENTRIES };
  const { records, searchedTo, newestSequence, isEnd } = await gateway.journal.listEntries(
    request,
    { signal },
  );
  return {
    rows: records.map((record) => new Row(record)),
    searchedTo,
    newest: newestSequence,
    isEnd,
  };
}

/** The newest entries, without a search through those that were seen already. */
export async function pageAfter(seen: bigint, { filter, signal }: Wanted): Promise<EntryPage> {
  const moment = await momentOf(seen, signal);
  const { from = moment } = filter;
  return await pageBefore(0n, {
    filter: { ...filter, from: from > moment ? from : moment },
    signal,
  });
}

/** Contract: empty where there is no such entry in the store. */
async function momentOf(sequence: bigint, signal: AbortSignal): Promise<string> {
  try {
    const { record } = await gateway.journal.getEntry({ id: String(sequence) }, { signal });
    return record === undefined ? '' : readEntry(record).time;
  } catch (reason) {
    const error = PalyraError.from(reason);
    if (['INVALID_INPUT', 'NOT_FOUND'].includes(error.code)) return '';
    throw error;
  }
}
