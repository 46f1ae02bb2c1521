import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { Button } from '@palyra/ui';
import { OpenRowsContext, useOpenRows } from './open-rows.ts';
import { RowView } from './row-view.tsx';
import type { Row } from './story/rows.ts';

export interface StoryListProps {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Where it begins, and whether it stays at the end when more comes. */
  readonly from: 'start' | 'end';
  /** Above the first row. */
  readonly head?: ReactNode;
}

const ESTIMATED_PX = 64;
const GAP_PX = 12;
const NEAR_END_PX = 96;

/** Only the rows that are seen are there, however long a story is. */
export function StoryList({ label, rows, from, head }: StoryListProps) {
  const box = useRef<HTMLDivElement>(null);
  const open = useOpenRows();
  const virtual = useVirtualizer({
    // The head is measured like a row.
    count: rows.length + 1,
    getScrollElement: () => box.current,
    estimateSize: (index) => (index === 0 ? 1 : ESTIMATED_PX),
    getItemKey: (index) => (index === 0 ? 'head' : (rows[index - 1]?.key ?? index)),
    gap: GAP_PX,
    overscan: 4,
    useFlushSync: false,
    paddingEnd: 16,
    anchorTo: from,
    followOnAppend: from === 'end',
    scrollEndThreshold: NEAR_END_PX,
  });
  const isFilled = rows.length > 0;
  useLayoutEffect(() => {
    if (isFilled && from === 'end') virtual.scrollToEnd();
  }, [isFilled, from, virtual]);
  return (
    <OpenRowsContext value={open}>
      <div className="relative min-h-0 flex-1">
        <div
          ref={box}
          role="log"
          aria-label={label}
          aria-live="off"
          tabIndex={0}
          className="absolute inset-0 overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none]"
        >
          <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, key, start }) => (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute top-0 left-0 w-full"
                style={{ transform: `translateY(${start}px)` }}
              >
                <div className="mx-auto w-full max-w-3xl px-4">
                  {index === 0 ? head : <RowAt row={rows[index - 1]} />}
                </div>
              </div>
            ))}
          </div>
        </div>
        {isFilled && from === 'end' && !virtual.isAtEnd(NEAR_END_PX) ? (
          <ToEnd onChoose={() => virtual.scrollToEnd()} />
        ) : null}
      </div>
    </OpenRowsContext>
  );
}

function RowAt({ row }: { readonly row: Row | undefined }) {
  return row === undefined ? null : <RowView row={row} />;
}

function ToEnd({ onChoose }: { readonly onChoose: () => void }) {
  return (
    <Button
      size="small"
      onClick={onChoose}
      className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-float"
    >
      <ArrowDown size={14} aria-hidden="true" />
      To the end
    </Button>
  );
}
