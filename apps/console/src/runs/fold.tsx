import type { ReactNode } from 'react';
import { ChevronRight } from 'lucide-react';
import { classes } from '@palyra/ui';
import { useOpening } from './open-rows.ts';

export interface FoldProps {
  readonly rowKey: string;
  readonly title: ReactNode;
  readonly children: ReactNode;
}

/** A title that opens what is below it. */
export function Fold({ rowKey, title, children }: FoldProps) {
  const { isOpen, toggle } = useOpening(rowKey);
  return (
    <div className="text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex items-center gap-1.5 rounded-md text-soft hover:text-ink"
      >
        <ChevronRight
          size={14}
          aria-hidden="true"
          className={classes('shrink-0 transition-transform', isOpen && 'rotate-90')}
        />
        {title}
      </button>
      {isOpen ? <div className="mt-2 border-l-2 border-line pl-3 text-soft">{children}</div> : null}
    </div>
  );
}
