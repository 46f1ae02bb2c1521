import type { ReactNode } from 'react';
import { useRouterState } from '@tanstack/react-router';
import { usePeople } from '../app/use-people.ts';
import { EntryRow } from './entry-row.tsx';
import type { JournalFilter } from './filter.ts';
import type { Row } from './row.ts';
import { useEntryLinks } from './use-entry-links.ts';
import type { RowShape } from './use-row-shape.ts';

/** Where a row stands, of those that are seen. */
interface Place {
  readonly key: string | number | bigint;
  readonly index: number;
  readonly start: number;
}

export interface PlacedRowsProps {
  readonly places: readonly Place[];
  readonly height: number;
  readonly rows: readonly Row[];
  readonly shape: RowShape;
  readonly filter: JournalFilter;
  readonly chosen: string | undefined;
  /** What comes after the last row. */
  readonly children: ReactNode;
}

export function PlacedRows({ places, height, rows, children, ...rest }: PlacedRowsProps) {
  const { shape, filter, chosen } = rest;
  const nameOf = usePeople();
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const openEntry = useEntryLinks(filter);
  const rowAt = (index: number) => {
    const row = rows[index];
    if (row === undefined) return children;
    const { entry } = row;
    const actor = entry === undefined ? '' : nameOf(entry.actor);
    const isChosen = chosen !== undefined && [entry?.id, `${entry?.sequence}`].includes(chosen);
    return <EntryRow {...{ row, actor, search, shape, isChosen }} />;
  };
  return (
    <ol onClick={openEntry} className="relative w-full" style={{ height }}>
      {places.map(({ key, index, start }) => (
        <li
          key={key}
          className="absolute top-0 left-0 w-full"
          style={{ transform: `translateY(${start}px)` }}
        >
          {rowAt(index)}
        </li>
      ))}
    </ol>
  );
}
