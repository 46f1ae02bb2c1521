import { useState } from 'react';
import type { JournalFilter } from './filter.ts';
import { waitingWords } from './head.ts';
import { NewEntries } from './arrivals.tsx';
import type { EntryPage } from './pages.ts';
import { Rows } from './rows.tsx';
import type { More } from './timeline-end.tsx';
import { useNewcomers } from './use-timeline.ts';

export interface EntryListProps {
  /** INVARIANT: the first one is there. */
  readonly pages: readonly EntryPage[];
  readonly filter: JournalFilter;
  readonly chosen: string | undefined;
  readonly more: More;
  readonly onAnew: () => void;
}

/** The pages that were loaded, and above them what came since. */
export function EntryList({ pages, filter, chosen, more, onAnew }: EntryListProps) {
  const [isScrolled, setIsScrolled] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const first = pages[0]?.newest ?? 0n;
  const isReading = isScrolled || isFocused;
  const { head, take } = useNewcomers({ first, filter, isReading, onAnew });
  const rows = [...head.taken, ...pages.flatMap((page) => page.rows)];
  return (
    <div className="relative">
      <Rows
        rows={rows}
        pages={pages}
        filter={filter}
        chosen={chosen}
        more={more}
        onScrolled={setIsScrolled}
        onFocused={setIsFocused}
        above={(goUp) =>
          head.waiting.length > 0 && isReading ? (
            <NewEntries
              words={waitingWords(head)}
              onShow={() => {
                take();
                goUp();
              }}
            />
          ) : null
        }
      />
    </div>
  );
}
