import type { JournalPort } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';

/** What keeps records beside the journal; only its writes matter here. */
interface Transacting {
  readonly transact: (change: never) => Promise<unknown>;
}

/**
 * The same journal and records, which tell once when they can no longer be written. From then on
 * every write is refused until the store is opened anew, so whoever waits for the daemon to work
 * should hear of it.
 */
export function watchStore<Records extends Transacting>(
  store: JournalPort & { readonly records: Records },
  onUnwritable: (error: PalyraError) => void,
): { readonly journal: JournalPort; readonly records: Records } {
  let isTold = false;
  const notice = (reason: unknown): never => {
    const error = PalyraError.from(reason);
    if (!isTold && error.code === 'JOURNAL_UNWRITABLE') {
      isTold = true;
      onUnwritable(error);
    }
    throw reason;
  };
  const { records } = store;
  return {
    journal: {
      append: (drafts) => store.append(drafts).catch(notice),
      tip: () => store.tip(),
      find: (id) => store.find(id),
      page: (query) => store.page(query),
      list: (query) => store.list(query),
      subscribe: (listener) => store.subscribe(listener),
      exportLines: (filter, signal) => store.exportLines(filter, signal),
      archive: (before, actor) => store.archive(before, actor),
    },
    records: {
      ...records,
      transact: (change) => records.transact(change).catch(notice),
    },
  };
}
