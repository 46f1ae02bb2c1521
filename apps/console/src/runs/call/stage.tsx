import type { ReactNode } from 'react';
import { Dot, type Tone } from '@palyra/ui';

export interface StageProps {
  readonly name: string;
  readonly tone: Tone;
  /** In a few words, beside the name. */
  readonly says: ReactNode;
  readonly children?: ReactNode;
}

/** One step on the way of a call. */
export function Stage({ name, tone, says, children }: StageProps) {
  return (
    <li className="grid grid-cols-[0.75rem_1fr] gap-x-3">
      <span className="flex flex-col items-center pt-1.5">
        <Dot tone={tone} />
        <span aria-hidden="true" className="mt-1 w-px flex-1 bg-line" />
      </span>
      <div className="flex min-w-0 flex-col gap-2 pb-4">
        <p className="text-sm wrap-anywhere">
          <span className="font-semibold">{name}</span> <span className="text-soft">{says}</span>
        </p>
        {children}
      </div>
    </li>
  );
}
