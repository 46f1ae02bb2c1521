import type { ErrorComponentProps } from '@tanstack/react-router';
import { useToasts, Problem } from '@palyra/ui';
import { PalyraError } from '@palyra/kernel';

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

/** A part of the console that could not be fetched: the gateway is gone, or has another build. */
export function unreachable(cause: unknown): PalyraError {
  return new PalyraError('DAEMON_UNREACHABLE', 'this part of the console could not be loaded', {
    cause,
    help: 'the gateway was stopped or upgraded; try again when it answers',
  });
}
