import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export type Tone = 'good' | 'wait' | 'bad' | 'accent' | 'plain';

const TONES: Readonly<Record<Tone, string>> = {
  good: 'bg-good-tint text-good',
  wait: 'bg-wait-tint text-wait',
  bad: 'bg-bad-tint text-bad',
  accent: 'bg-accent-tint text-accent',
  plain: 'bg-raised text-soft',
};

export interface BadgeProps {
  readonly tone?: Tone;
  readonly children: ReactNode;
  /** More of it, on hover and for those who listen. */
  readonly title?: string;
  readonly className?: string;
}

/** A word about the state of something. Never colour alone: the word says it. */
export function Badge({ tone = 'plain', children, title, className }: BadgeProps) {
  return (
    <span
      title={title}
      className={classes(
        'inline-flex items-center gap-1 rounded-md px-1.5 py-0.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

const DOTS: Readonly<Record<Tone, string>> = {
  good: 'bg-good',
  wait: 'bg-wait',
  bad: 'bg-bad',
  accent: 'bg-accent',
  plain: 'bg-strong-line',
};

export function Dot({ tone }: { readonly tone: Tone }) {
  return (
    <span aria-hidden="true" className={classes('size-2 shrink-0 rounded-full', DOTS[tone])} />
  );
}
