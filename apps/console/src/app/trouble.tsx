import type { ErrorComponentProps } from '@tanstack/react-router';
import { useToasts, Problem } from '@palyra/ui';
import { unreachable } from '../wire/unreachable.ts';

/** A page that failed; the others still work. */
export function Trouble({ error }: ErrorComponentProps) {
  const toasts = useToasts();
  const reload = async () => {
    // Left only for a gateway that answers: what is on the screen is better than a browser's own error.
    try {
      await fetch('/healthz', { cache: 'no-store' });
      location.reload();
    } catch (reason) {
      toasts.tellProblem(unreachable(reason));
    }
  };
  return <Problem reason={error} onRetry={() => void reload()} />;
}
