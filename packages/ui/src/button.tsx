import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import { Spinner } from './spinner.tsx';

export interface ButtonProps extends ComponentProps<'button'> {
  /** What it does: the one thing to do here, one of several, a small one, or one that takes something away. */
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'small' | 'normal';
  /** While its work is under way; it cannot be pressed again. */
  readonly isBusy?: boolean;
}

const LOOKS = {
  main: 'bg-accent-fill text-accent-ink hover:brightness-110 border-transparent',
  plain: 'bg-card text-ink border-line hover:border-strong-line hover:bg-raised',
  quiet: 'bg-transparent text-soft border-transparent hover:bg-raised hover:text-ink',
  danger: 'bg-bad-fill text-accent-ink hover:brightness-110 border-transparent',
} as const;

const SIZES = {
  small: 'h-8 px-2.5 text-sm gap-1.5',
  normal: 'h-9 px-3.5 text-sm gap-2',
} as const;

export function Button({
  look = 'plain',
  size = 'normal',
  isBusy = false,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      className={classes(
        'inline-flex shrink-0 items-center justify-center rounded-lg border font-medium whitespace-nowrap transition-colors disabled:opacity-55',
        LOOKS[look],
        SIZES[size],
        className,
      )}
    >
      {isBusy ? <Spinner /> : null}
      {children}
    </button>
  );
}
