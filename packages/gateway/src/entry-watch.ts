import type { SealedEntry } from '@palyra/kernel';
import type { JournalPort } from './ports.ts';

/** What a new entry is about; never its payload, so that many of them are little. */
export type EntryNote = Pick<
  SealedEntry,
  'sequence' | 'id' | 'time' | 'kind' | 'actor' | 'runId' | 'sessionId'
>;

export type EntryNews =
  | { readonly kind: 'entry'; readonly note: EntryNote }
  /** Notes were left out, up to and with this entry. */
  | { readonly kind: 'resync'; readonly sequence: number };

/** Notes that wait for one watcher at most; whoever is further behind starts anew. */
export const MOST_WAITING_NOTES = 1_024;
const PAGE = 256;

/**
 * News of every entry after `after`, or of those still to come when that is 0. Contract: whoever
 * takes them slowly loses notes, is told so, and keeps nobody waiting. Throws the signal's reason.
 */
export async function* watchEntries(
  journal: JournalPort,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<EntryNews> {
  const waiting = new WaitingNotes();
  using stack = new DisposableStack();
  stack.use(journal.subscribe((entries) => waiting.add(entries)));
  const wake = () => waiting.wake();
  signal.addEventListener('abort', wake, { once: true });
  stack.defer(() => signal.removeEventListener('abort', wake));

  yield* missed(journal, after);
  for (;;) {
    signal.throwIfAborted();
    const next = waiting.next();
    if (next === undefined) await waiting.arrival();
    else if (next === 'overflow') yield { kind: 'resync', sequence: journal.tip().sequence };
    else yield { kind: 'entry', note: next };
  }
}

/** Up to the tip of this moment; what comes later waits already. */
async function* missed(journal: JournalPort, after: number): AsyncGenerator<EntryNews> {
  const { sequence: tip } = journal.tip();
  if (after === 0 || after >= tip) return;
  if (tip - after > MOST_WAITING_NOTES) {
    yield { kind: 'resync', sequence: tip };
    return;
  }
  for (let cursor = after; cursor < tip;) {
    const page = await journal.page({ after: cursor, limit: Math.min(PAGE, tip - cursor) });
    for (const entry of page) yield { kind: 'entry', note: noteOf(entry) };
    // Archived meanwhile: there is nothing left to be told.
    cursor = page.at(-1)?.sequence ?? tip;
  }
}

class WaitingNotes {
  #notes: EntryNote[] = [];
  #hasOverflown = false;
  #arrival = Promise.withResolvers<void>();

  add(entries: readonly SealedEntry[]): void {
    if (this.#hasOverflown) return;
    if (this.#notes.length + entries.length > MOST_WAITING_NOTES) {
      this.#notes = [];
      this.#hasOverflown = true;
    } else {
      for (const entry of entries) this.#notes.push(noteOf(entry));
    }
    this.wake();
  }

  next(): EntryNote | 'overflow' | undefined {
    if (!this.#hasOverflown) return this.#notes.shift();
    this.#hasOverflown = false;
    return 'overflow';
  }

  wake(): void {
    this.#arrival.resolve();
  }

  async arrival(): Promise<void> {
    await this.#arrival.promise;
    this.#arrival = Promise.withResolvers();
  }
}

/** A copy of what is needed: the entry's bytes must not be kept alive by who is slow. */
function noteOf({ sequence, id, time, kind, actor, runId, sessionId }: SealedEntry): EntryNote {
  return {
    sequence,
    id,
    time,
    kind,
    actor,
    ...(runId === undefined ? {} : { runId }),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}
