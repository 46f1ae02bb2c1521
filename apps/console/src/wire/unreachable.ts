import { PalyraError } from '@palyra/kernel';

/** A part of the console that could not be fetched: the gateway is gone, or has another build. */
export function unreachable(cause: unknown): PalyraError {
  return new PalyraError('DAEMON_UNREACHABLE', 'this part of the console could not be loaded', {
    cause,
    help: 'the gateway was stopped or upgraded; try again when it answers',
  });
}
