import { type Bytes, PalyraError, type SealedEntry, parseId } from '@palyra/kernel';
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

/** The journal as clients may read it. Nobody writes through here. */
export class JournalReader {
  readonly #journal: JournalPort;
  readonly #runs: RunsPort;

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
    if (entry === undefined) {
      throw new PalyraError('NOT_FOUND', `there is no journal entry \`${idOrSequence}\``);
    }
    return entry;
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

  async list(query: EntriesQuery): Promise<EntriesPage> {
    return await this.#journal.list(query);
  }

  /** News of the entries after a sequence, for who shows them; 0 for those still to come. */
  watch(after: number, signal: AbortSignal): AsyncGenerator<EntryNews> {
    return watchEntries(this.#journal, after, signal);
  }

  /** Contract: throws NOT_FOUND for a run that the store does not know; a file without entries proves nothing. */
  async *exportLines(filter: ExportFilter): AsyncGenerator<Bytes> {
    const { runId } = filter;
    if (runId !== undefined && (await this.#runs.get(runId)) === undefined) {
      throw new PalyraError('NOT_FOUND', `there is no run \`${runId}\` in the store`);
    }
    yield* this.#journal.exportLines(filter);
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
