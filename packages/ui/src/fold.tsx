import type { ReactNode } from 'react';
import { ChevronRight } from 'lucide-react';
import { classes } from './classes.ts';

export interface FoldProps {
  /** Seen also when it is closed. */
  readonly summary: ReactNode;
  readonly children: ReactNode;
  /** In a box of its own, or a row of a list. */
  readonly look?: 'box' | 'row';
  /** Whether it is open until somebody closes it. */
  readonly isOpen?: boolean;
}

/** Something with more behind it. */
export function Fold({ summary, children, look = 'box', isOpen = false }: FoldProps) {
  return (
    <details
      open={isOpen}
      className={classes('group/fold', look === 'box' && 'rounded-lg border border-line')}
    >
      <summary
        className={classes(
          'flex cursor-pointer list-none items-center gap-2 text-sm hover:bg-raised [&::-webkit-details-marker]:hidden',
          look === 'box' ? 'rounded-lg px-3 py-2' : 'px-4 py-2.5',
        )}
      >
        <ChevronRight
          size={15}
          aria-hidden="true"
          className="shrink-0 text-soft transition-transform group-open/fold:rotate-90"
        />
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          {summary}
        </span>
      </summary>
      {children}
    </details>
  );
}
