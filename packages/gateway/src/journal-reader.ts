import {
  type Bytes,
  type EntryId,
  PalyraError,
  type SealedEntry,
  Slots,
  parseId,
} from '@palyra/kernel';
import { type EntryNews, watchEntries } from './entry-watch.ts';
import type {
  EntriesPage,
  EntriesQuery,
  ExportFilter,
  JournalPort,
  JournalTip,
  RunsPort,
} from './ports.ts';

const PAGE = 256;

export interface TailQuery {
  /** Where to begin: after a sequence, or with the last so many entries. */
  readonly from: { readonly after: number } | { readonly last: number };
  readonly follow: 'until-now' | 'for-ever';
}

/** Who reads, and how long they want to. */
export interface Reading {
  /** The principal: what somebody does through several devices is theirs together. */
  readonly whose: string;
  readonly signal: AbortSignal;
}

/** The journal as clients may read it. Nobody writes through here. */
export class JournalReader {
  readonly #journal: JournalPort;
  readonly #runs: RunsPort;
  readonly #searches = new Slots({ each: 2, inAll: 16, one: 'a search', many: 'searches' });
  // Each walks up to the head, and no segment can be archived meanwhile.
  readonly #exports = new Slots({ each: 1, inAll: 4, one: 'an export', many: 'exports' });

  constructor(journal: JournalPort, runs: RunsPort) {
    this.#journal = journal;
    this.#runs = runs;
  }

  tip(): JournalTip {
    return this.#journal.tip();
  }

  async find(idOrSequence: string): Promise<SealedEntry> {
    const id = /^\d{1,15}$/.test(idOrSequence)
      ? Number(idOrSequence)
      : parseId<'entry'>(idOrSequence);
    const entry = id === undefined ? undefined : await this.#journal.find(id);
    if (entry !== undefined) return entry;
    const [first] = await this.#journal.page({ after: 0, limit: 1 });
    if (first !== undefined && id !== undefined && mayBeArchived(id, first)) {
      throw notInStore(idOrSequence, id, first);
    }
    throw new PalyraError('NOT_FOUND', `there is no journal entry \`${idOrSequence}\``);
  }

  /** A slow reader costs nothing: entries are read from the store as they are taken. */
  async *tail(query: TailQuery, signal: AbortSignal): AsyncGenerator<SealedEntry> {
    let cursor = 'after' in query.from ? query.from.after : this.tip().sequence - query.from.last;
    cursor = Math.max(0, cursor);
    for (;;) {
      signal.throwIfAborted();
      const page = await this.#journal.page({ after: cursor, limit: PAGE });
      yield* page;
      const last = page.at(-1);
      if (last !== undefined) cursor = last.sequence;
      else if (query.follow === 'until-now') return;
      else await this.#nextAppend(cursor, signal);
    }
  }

  /** Contract: OVERLOADED when too many search. */
  async list(query: EntriesQuery, { whose, signal }: Reading): Promise<EntriesPage> {
    using _slot = isSearch(query) ? this.#searches.take(whose) : undefined;
    return await this.#journal.list({ ...query, signal });
  }

  /** News of the entries after a sequence, for who shows them; 0 for those still to come. */
  watch(after: number, signal: AbortSignal): AsyncGenerator<EntryNews> {
    return watchEntries(this.#journal, after, signal);
  }

  /**
   * Contract: throws NOT_FOUND for a run that the store does not know, since a file without entries
   * proves nothing; OVERLOADED when too many export.
   */
  async *exportLines(filter: ExportFilter, { whose, signal }: Reading): AsyncGenerator<Bytes> {
    using _slot = this.#exports.take(whose);
    const { runId } = filter;
    if (runId !== undefined && (await this.#runs.get(runId)) === undefined) {
      throw new PalyraError('NOT_FOUND', `there is no run \`${runId}\` in the store`);
    }
    yield* this.#journal.exportLines(filter, signal);
  }

  async #nextAppend(cursor: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    using stack = new DisposableStack();
    stack.use(this.#journal.subscribe(wake));
    signal.addEventListener('abort', wake, { once: true });
    stack.defer(() => signal.removeEventListener('abort', wake));
    if (this.tip().sequence > cursor || signal.aborted) return;
    await promise;
  }
}

/** Ids rise with the sequence, and entries count from 1: before that one, none was ever archived. */
function mayBeArchived(id: EntryId | number, first: SealedEntry): boolean {
  if (first.sequence === 1) return false;
  return typeof id === 'number' ? id > 0 && id < first.sequence : id < first.id;
}

/** Every number up to the newest was given to an entry; an id may be nobody's. */
function notInStore(name: string, id: EntryId | number, { sequence }: SealedEntry): PalyraError {
  const where = 'in one of the files that `palyra journal archive` wrote, a line each entry';
  return new PalyraError(
    'NOT_FOUND',
    `journal entry \`${name}\` is not in the store, which begins with entry ${sequence}`,
    { help: typeof id === 'number' ? `it is ${where}` : `if there ever was one, it is ${where}` },
  );
}

/** Without these the newest entries are the answer, and nothing is looked through for it. */
function isSearch({ kinds, actor, runId, sessionId, text }: EntriesQuery): boolean {
  return [kinds, actor, runId, sessionId, text].some((filter) => filter !== undefined);
}
