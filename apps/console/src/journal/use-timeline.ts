import { useEffect, useEffectEvent, useState } from 'react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNewest } from '../app/live.ts';
import { type JournalFilter, filterKey } from './filter.ts';
import { type Head, addNewer, emptyHead, takeWaiting } from './head.ts';
import { pageAfter, pageBefore } from './pages.ts';

/** A tab keeps so many; who wants to go further back says from when. */
const MOST_PAGES = 200;

export interface PagesWish {
  readonly filter: JournalFilter;
  /** Another number is another list, from the newest entry on. */
  readonly beginning: number;
}

/** The pages of a list, newest first. What was written never changes, so nothing is asked for twice. */
export function usePages({ filter, beginning }: PagesWish) {
  return useInfiniteQuery({
    queryKey: ['journal', 'pages', filterKey(filter), beginning],
    staleTime: 'static',
    initialPageParam: 0n,
    queryFn: ({ pageParam, signal }) => pageBefore(pageParam, { filter, signal }),
    getNextPageParam: (last, pages) =>
      last.isEnd || pages.length >= MOST_PAGES ? undefined : last.searchedTo,
  });
}

export interface NewcomersWish {
  /** The newest entry when the list was begun. */
  readonly first: bigint;
  readonly filter: JournalFilter;
  /** Then nothing may move: what is new waits. */
  readonly isReading: boolean;
  /** The list has to begin anew, because too much has come to be put on top of it. */
  readonly onAnew: () => void;
}

export interface Newcomers {
  readonly head: Head;
  readonly take: () => void;
}

/**
 * What comes while a list is open. One question at a time, for what is newer than what was seen:
 * a journal that is written to all the time is asked as fast as it answers, and no faster.
 */
export function useNewcomers({ first, filter, isReading, onAnew }: NewcomersWish): Newcomers {
  const [head, setHead] = useState(() => emptyHead(first));
  const newest = useNewest();
  const { data } = useQuery({
    queryKey: ['journal', 'newer', filterKey(filter), String(head.seen)],
    staleTime: 'static',
    gcTime: 0,
    enabled: newest > head.seen && !head.hasGap && filter.until === undefined,
    queryFn: ({ signal }) => pageAfter(head.seen, { filter, signal }),
  });
  const take = () => {
    const taken = takeWaiting(head);
    if (taken === undefined) onAnew();
    else setHead(taken);
  };
  useEffect(() => {
    if (data !== undefined) setHead((old) => addNewer(old, data));
  }, [data]);
  const isDue = !isReading && (head.waiting.length > 0 || head.hasGap);
  const takeNow = useEffectEvent(take);
  useEffect(() => {
    if (isDue) takeNow();
  }, [isDue]);
  return { head, take };
}
