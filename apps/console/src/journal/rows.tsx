import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { EntryListProps } from './entry-list.tsx';
import { isEmptyFilter } from './filter.ts';
import { PlacedRows } from './placed-rows.tsx';
import type { Row } from './row.ts';
import { TimelineEnd } from './timeline-end.tsx';
import { useAutoMore } from './use-auto-more.ts';
import { useRowKeys } from './use-row-keys.ts';
import { ROW_HEIGHTS, useRowShape } from './use-row-shape.ts';

export interface RowsProps extends Omit<EntryListProps, 'onAnew'> {
  readonly rows: readonly Row[];
  /** Whether somebody has scrolled away from the newest one. */
  readonly onScrolled: (isScrolled: boolean) => void;
  /** Whether a row has the focus. */
  readonly onFocused: (isFocused: boolean) => void;
  readonly above: (goUp: () => void) => ReactNode;
}

const NEAR_TOP = 8;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 25;

/** Only the rows that are seen are made, however many there are. */
export function Rows({ rows, pages, filter, chosen, more, ...rest }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const shape = useRowShape(box);
  const virtual = useVirtualizer({
    count: rows.length + 1,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHTS[shape],
    getItemKey: (index) => rows[index]?.hash ?? 'end',
    overscan: 10,
  });
  useLayoutEffect(() => virtual.measure(), [virtual, shape]);
  const seen = virtual.getVirtualItems();
  const isNearEnd = (seen.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  useAutoMore({ pages, filter, more, isNearEnd });
  useRowKeys(rows, (index) => virtual.scrollToIndex(index, { align: 'auto' }));
  const isFiltered = !isEmptyFilter(filter);
  const isEmpty = rows.length === 0;
  return (
    <>
      {rest.above(() => virtual.scrollToOffset(0))}
      <div
        ref={box}
        role="region"
        aria-label="Entries"
        tabIndex={0}
        onScroll={({ currentTarget }) => rest.onScrolled(currentTarget.scrollTop > NEAR_TOP)}
        onFocus={({ target, currentTarget }) => rest.onFocused(target !== currentTarget)}
        onBlur={() => rest.onFocused(false)}
        className="h-[calc(100dvh-17rem)] min-h-96 overflow-y-auto rounded-card [overflow-anchor:none]"
      >
        <PlacedRows
          places={seen}
          height={virtual.getTotalSize()}
          rows={rows}
          shape={shape}
          filter={filter}
          chosen={chosen}
        >
          <TimelineEnd pages={pages} more={more} isFiltered={isFiltered} isEmpty={isEmpty} />
        </PlacedRows>
      </div>
    </>
  );
}
