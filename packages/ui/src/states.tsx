import type { ReactNode } from 'react';
import { PalyraError } from '@palyra/kernel';
import { Button } from './button.tsx';
import { Words } from './words.tsx';

export interface EmptyProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
}

/** Nothing is there: what would be, and how it comes to be. In the middle of a column that is taller. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div className="my-auto flex flex-col items-center gap-2 px-6 py-8 text-center">
      {icon === undefined ? null : (
        <span aria-hidden="true" className="mb-1 rounded-full bg-raised p-3 text-soft">
          {icon}
        </span>
      )}
      <p className="font-medium">{title}</p>
      {children === undefined ? null : <div className="max-w-md text-sm text-soft">{children}</div>}
    </div>
  );
}

/** Stands where something will be, in its size, so that nothing jumps. */
export function Waiting({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-3 p-4">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className="h-4 animate-pulse rounded bg-raised odd:w-4/5" />
      ))}
    </div>
  );
}

export interface ProblemProps {
  readonly reason: unknown;
  readonly onRetry?: () => void;
}

/** What went wrong, in the words of the catalogue, and the way out. */
export function Problem({ reason, onRetry }: ProblemProps) {
  const { code, message, help } = PalyraError.from(reason);
  return (
    <div role="alert" className="m-4 rounded-lg border border-bad/40 bg-bad-tint p-4 text-sm">
      <p className="font-medium text-bad">
        <Words text={message} /> <code className="text-xs font-normal">{code}</code>
      </p>
      {help === undefined ? null : (
        <p className="mt-1 text-ink">
          <Words text={help} />
        </p>
      )}
      {onRetry === undefined ? null : (
        <Button size="small" className="mt-3" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
