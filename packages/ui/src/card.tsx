import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export interface CardProps {
  readonly title?: ReactNode;
  /** Beside the title: a link to more, a button. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** For content that brings its own, such as a list of rows. */
  readonly padding?: 'normal' | 'none';
}

export function Card({ title, aside, children, className, padding = 'normal' }: CardProps) {
  return (
    <section
      className={classes('rounded-card border border-line bg-card shadow-card min-w-0', className)}
    >
      {title === undefined ? null : (
        <header className="flex min-h-[calc(3rem+1px)] items-center justify-between gap-3 border-b border-line px-4 py-2">
          <h2 className="text-sm font-semibold">{title}</h2>
          {aside}
        </header>
      )}
      <div className={padding === 'none' ? '' : 'p-4'}>{children}</div>
    </section>
  );
}
