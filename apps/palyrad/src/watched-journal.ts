import type { JournalPort } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';

/**
 * The same journal, which tells once when it can no longer be written. From then on it refuses
 * every entry until it is opened anew, so whoever waits for the daemon to work should hear of it.
 */
export function watchJournal(
  journal: JournalPort,
  onUnwritable: (error: PalyraError) => void,
): JournalPort {
  let isTold = false;
  const notice = (reason: unknown) => {
    const error = PalyraError.from(reason);
    if (isTold || error.code !== 'JOURNAL_UNWRITABLE') return;
    isTold = true;
    onUnwritable(error);
  };
  return {
    async append(drafts) {
      try {
        return await journal.append(drafts);
      } catch (reason) {
        notice(reason);
        throw reason;
      }
    },
    tip: () => journal.tip(),
    find: (id) => journal.find(id),
    page: (query) => journal.page(query),
    subscribe: (listener) => journal.subscribe(listener),
    exportLines: (filter) => journal.exportLines(filter),
    archive: (before, actor) => journal.archive(before, actor),
  };
}
