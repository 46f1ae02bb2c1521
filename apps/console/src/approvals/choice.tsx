import type { ReactNode } from 'react';
import { classes } from '@palyra/ui';

export interface ChoiceProps {
  /** Of the group; one of it is chosen. */
  readonly name: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly autoFocus?: boolean;
  readonly says: ReactNode;
  readonly children?: ReactNode;
}

/** One of several, with a line about it. */
export function Choice({ name, isChosen, onChoose, autoFocus, says, children }: ChoiceProps) {
  return (
    <label
      className={classes(
        'flex cursor-pointer gap-2.5 rounded-lg border px-3 py-2 text-sm',
        isChosen ? 'border-accent bg-accent-tint' : 'border-line hover:border-strong-line',
      )}
    >
      <input
        type="radio"
        name={name}
        checked={isChosen}
        autoFocus={autoFocus}
        onChange={onChoose}
        className="mt-1 shrink-0 self-start accent-accent-fill"
      />
      <span className="min-w-0 wrap-anywhere">
        <span className="block font-medium">{says}</span>
        {children === undefined ? null : <span className="block text-ink/80">{children}</span>}
      </span>
    </label>
  );
}
