import { PalyraError, quote } from '@palyra/kernel';

/**
 * The gateway went away in the middle of a run. Its next start finds the run interrupted, which is
 * another end than a gateway that never answered: hence a class of its own.
 */
export class LostRun extends PalyraError {
  constructor(runId: string, cause: unknown) {
    super('DAEMON_UNREACHABLE', `the gateway went away in the middle of run ${quote(runId)}`, {
      cause,
      help: `start it again with \`palyra up\`, then \`palyra runs resume ${runId}\``,
    });
  }
}

/** Contract: the reason itself where it is something else, or where no run had begun. */
export function asLostRun(reason: unknown, runId: string | undefined): unknown {
  const isGone = PalyraError.from(reason).code === 'DAEMON_UNREACHABLE';
  return isGone && runId !== undefined ? new LostRun(runId, reason) : reason;
}
