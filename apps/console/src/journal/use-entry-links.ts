import type { MouseEvent } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { JournalFilter } from './filter.ts';

/** Opens the entry of a row without loading the page again, unless another tab is wanted for it. */
export function useEntryLinks(filter: JournalFilter): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!isPlain || event.button !== 0 || !(event.target instanceof Element)) return;
    const link = event.target.closest('a[data-entry]');
    const entryId = link?.getAttribute('data-entry');
    if (entryId === null || entryId === undefined) return;
    event.preventDefault();
    void navigate({ to: '/journal/$entryId', params: { entryId }, search: filter });
  };
}
