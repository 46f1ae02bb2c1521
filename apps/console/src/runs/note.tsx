import type { ReactNode } from 'react';
import { type Tone, classes } from '@palyra/ui';

const TONES: Readonly<Record<Tone, string>> = {
  good: 'text-good',
  wait: 'text-wait',
  bad: 'text-bad',
  accent: 'text-accent',
  plain: 'text-soft',
};

export interface NoteProps {
  readonly tone?: Tone;
  readonly children: ReactNode;
}

/** A line of ours between what others say. */
export function Note({ tone = 'plain', children }: NoteProps) {
  return (
    <p className={classes('border-l-2 border-line pl-3 text-sm wrap-anywhere', TONES[tone])}>
      {children}
    </p>
  );
}
