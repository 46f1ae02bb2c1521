import type { ErrorComponentProps } from '@tanstack/react-router';
import { Problem } from '@palyra/ui';

/** A page that failed; the others still work. */
export function Trouble({ error, reset }: ErrorComponentProps) {
  return <Problem reason={error} onRetry={reset} />;
}
