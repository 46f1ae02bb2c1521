import type { EntryPage } from './pages.ts';
import type { Row } from './row.ts';

/** Entries that came while the list was open. More than this, and the list begins anew. */
const MOST_WAITING = 1_000;
const MOST_TAKEN = 2_000;

/** What stands above the pages of a list. */
export interface Head {
  /** Everything up to this one was asked for. */
  readonly seen: bigint;
  /** Came while somebody was reading further down; not shown yet. */
  readonly waiting: readonly Row[];
  /** Newest first, as the others. */
  readonly taken: readonly Row[];
  /** Between what waits and what is shown there are others. */
  readonly hasGap: boolean;
}

export function emptyHead(seen: bigint): Head {
  return { seen, waiting: [], taken: [], hasGap: false };
}

export function addNewer(head: Head, page: EntryPage): Head {
  const fresh = page.rows.filter(({ entry }) => entry !== undefined && entry.sequence > head.seen);
  const waiting = [...fresh, ...head.waiting];
  const isWhole = page.isEnd || page.searchedTo <= head.seen + 1n;
  return {
    seen: page.newest > head.seen ? page.newest : head.seen,
    waiting: waiting.slice(0, MOST_WAITING),
    taken: head.taken,
    hasGap: head.hasGap || !isWhole || waiting.length > MOST_WAITING,
  };
}

/** Contract: `undefined` when the list has to begin anew, because this would leave a gap in it. */
export function takeWaiting(head: Head): Head | undefined {
  const taken = [...head.waiting, ...head.taken];
  if (head.hasGap || taken.length > MOST_TAKEN) return undefined;
  return { ...head, waiting: [], taken };
}

/** `1 new entry`, `12 new entries`, `100+ new entries`. */
export function waitingWords({ waiting, hasGap }: Head): string {
  const count = `${waiting.length}${hasGap ? '+' : ''}`;
  return `${count} new ${count === '1' ? 'entry' : 'entries'}`;
}
