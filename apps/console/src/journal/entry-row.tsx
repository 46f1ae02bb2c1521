import { memo } from 'react';
import { kindWords } from '@palyra/client';
import { visibleText } from '@palyra/kernel';
import type { JournalEntry } from '@palyra/protocol';
import { Badge, When, classes } from '@palyra/ui';
import { entryText, withShortIds } from './entry-text.ts';
import { entryTone } from './entry-tone.ts';
import type { Row } from './row.ts';
import { rowElementId } from './use-row-keys.ts';
import type { RowShape } from './use-row-shape.ts';

export interface EntryRowProps {
  readonly row: Row;
  /** By name, as far as that is known. */
  readonly actor: string;
  /** What stands in the address behind the path. */
  readonly search: string;
  readonly shape: RowShape;
  readonly isChosen: boolean;
}

/**
 * One line where there is room for it, two in a narrow list. A plain link, because a list makes many
 * between two frames; `useEntryLinks` sees to it that the page stays.
 */
export const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { row, actor, search, shape, isChosen } = props;
  const { entry } = row;
  if (entry === undefined) return <Unreadable row={row} />;
  return (
    <a
      id={rowElementId(row)}
      href={`/journal/${encodeURIComponent(entry.id)}${search}`}
      data-entry={entry.id}
      aria-current={isChosen ? 'true' : undefined}
      className={classes(
        'grid content-center items-center gap-x-3 gap-y-0.5 border-b border-line px-4 text-sm -outline-offset-2',
        shape === 'wide'
          ? 'h-[37px] grid-cols-[11rem_minmax(0,1fr)_9rem_6.5rem_4.5rem]'
          : 'h-[57px] grid-cols-[minmax(0,1fr)_auto]',
        isChosen ? 'bg-accent-tint' : 'hover:bg-raised',
      )}
    >
      <Told entry={entry} actor={actor} shape={shape} />
    </a>
  );
});

interface ToldProps extends Pick<EntryRowProps, 'actor' | 'shape'> {
  readonly entry: JournalEntry;
}

function Told({ entry, actor, shape }: ToldProps) {
  const words = entryText(entry) || actor;
  const kind = (
    <span className="flex min-w-0">
      <Badge tone={entryTone(entry)} title={visibleText(entry.kind, 'one-line')}>
        {kindWords(entry.kind)}
      </Badge>
    </span>
  );
  const time = (
    <span className="text-right text-xs text-soft">
      <When at={entry.time} />
    </span>
  );
  if (shape === 'narrow') {
    return (
      <>
        {kind}
        {time}
        <Cut text={words} className="col-span-2" />
      </>
    );
  }
  return (
    <>
      {kind}
      <Cut text={words} />
      <Cut text={actor} className="text-xs text-soft" />
      {time}
      <span className="text-right text-xs text-soft tabular-nums">
        {entry.sequence.toLocaleString('en')}
      </span>
    </>
  );
}

function Cut({ text, className }: { readonly text: string; readonly className?: string }) {
  return (
    <span className={classes('min-w-0 truncate', className)} title={text}>
      {withShortIds(text)}
    </span>
  );
}

function Unreadable({ row }: { readonly row: Row }) {
  return (
    <p
      id={rowElementId(row)}
      title="Verify the journal to see which one it was"
      className="h-[37px] truncate border-b border-line bg-bad-tint px-4 text-sm leading-9"
    >
      <Badge tone="bad">unreadable</Badge> {row.canonical.length} bytes that are no entry
    </p>
  );
}
