import { useState } from 'react';
import { Problem, Waiting } from '@palyra/ui';
import { EntryList } from './entry-list.tsx';
import { type JournalFilter, filterKey } from './filter.ts';
import { usePages } from './use-timeline.ts';

export interface TimelineProps {
  readonly filter: JournalFilter;
  /** The entry that stands open beside it. */
  readonly chosen: string | undefined;
}

/** The journal, newest first. */
export function Timeline({ filter, chosen }: TimelineProps) {
  const [beginning, setBeginning] = useState(0);
  const pages = usePages({ filter, beginning });
  if (pages.data === undefined) {
    return pages.isError ? (
      <Problem reason={pages.error} onRetry={() => void pages.refetch()} />
    ) : (
      <Waiting lines={14} />
    );
  }
  return (
    <EntryList
      key={`${filterKey(filter)} ${beginning}`}
      pages={pages.data.pages}
      filter={filter}
      chosen={chosen}
      onAnew={() => setBeginning(beginning + 1)}
      more={{
        canGoOn: pages.hasNextPage,
        isBusy: pages.isFetchingNextPage,
        problem: pages.isFetchNextPageError ? pages.error : undefined,
        goOn: () => void pages.fetchNextPage(),
      }}
    />
  );
}
