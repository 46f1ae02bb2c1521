import { ScrollText } from 'lucide-react';
import { Button, Empty, Problem, Spinner } from '@palyra/ui';
import type { EntryPage } from './pages.ts';

export interface More {
  readonly canGoOn: boolean;
  readonly isBusy: boolean;
  readonly problem: unknown;
  readonly goOn: () => void;
}

export interface TimelineEndProps {
  readonly pages: readonly EntryPage[];
  readonly more: More;
  readonly isFiltered: boolean;
  readonly isEmpty: boolean;
}

/** What stands below the last row: more, or that there is no more, or how far the search came. */
export function TimelineEnd({ pages, more, isFiltered, isEmpty }: TimelineEndProps) {
  const last = pages.at(-1);
  if (more.problem !== undefined) return <Problem reason={more.problem} onRetry={more.goOn} />;
  if (more.canGoOn) {
    return (
      <div className="flex flex-wrap items-center justify-center gap-3 px-4 py-4 text-sm text-soft">
        {more.isBusy || !isFiltered ? (
          <span role="status" className="flex h-8 items-center gap-2">
            <Spinner /> Loading
          </span>
        ) : (
          <>
            {isEmpty ? 'Nothing yet. ' : ''}Searched down to entry{' '}
            {(last?.searchedTo ?? 0n).toLocaleString('en')}.
            <Button size="small" onClick={more.goOn}>
              Go on
            </Button>
          </>
        )}
      </div>
    );
  }
  if (isEmpty) {
    return isFiltered ? (
      <Empty icon={<ScrollText size={20} />} title="No entry fits">
        Try fewer filters, or another word. Text is found as it stands in the entry.
      </Empty>
    ) : (
      <Empty icon={<ScrollText size={20} />} title="The journal is empty">
        The first entry comes with the first thing that happens.
      </Empty>
    );
  }
  const begins = isFiltered ? 'Nothing older fits.' : 'Here the journal begins.';
  return (
    <p className="px-4 py-4 text-center text-sm text-soft">
      {last?.isEnd === true ? begins : 'This list ends here. To see what is older, say until when.'}
    </p>
  );
}
