import { useEffect, useEffectEvent } from 'react';
import { type JournalFilter, isEmptyFilter } from './filter.ts';
import { type EntryPage, PAGE_ENTRIES } from './pages.ts';
import type { More } from './timeline-end.tsx';

export interface AutoMore {
  readonly pages: readonly EntryPage[];
  readonly filter: JournalFilter;
  readonly more: More;
  readonly isNearEnd: boolean;
}

/**
 * Loads the next page when one comes near the end. Not after a search that found less than a page:
 * that one has looked at thousands of entries, and a person says whether it goes on.
 */
export function useAutoMore({ pages, filter, more, isNearEnd }: AutoMore): void {
  const wasFull = (pages.at(-1)?.rows.length ?? 0) >= PAGE_ENTRIES;
  const isDue =
    isNearEnd &&
    more.canGoOn &&
    !more.isBusy &&
    more.problem === undefined &&
    (wasFull || isEmptyFilter(filter));
  const goOn = useEffectEvent(more.goOn);
  useEffect(() => {
    if (isDue) goOn();
  }, [isDue]);
}
