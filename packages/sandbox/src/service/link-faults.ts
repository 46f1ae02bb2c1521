import { PalyraError } from '@palyra/kernel';

const AGAIN = 'try again: it is started anew; the log tells why it ended';

export function gone(cause: unknown): PalyraError {
  return new PalyraError('SANDBOX_FAILED', 'the process that makes sandboxes has ended', {
    cause,
    help: AGAIN,
  });
}

export function gibberish(): PalyraError {
  return new PalyraError('SANDBOX_FAILED', 'the process that makes sandboxes was not understood', {
    help: AGAIN,
  });
}

export function hangs(): PalyraError {
  return new PalyraError('SANDBOX_FAILED', 'the process that makes sandboxes did not answer', {
    help: AGAIN,
  });
}

export function notStarted(cause: unknown): PalyraError {
  return new PalyraError('SANDBOX_UNAVAILABLE', 'the process that makes sandboxes did not start', {
    cause,
    help: 'as root in a container give it `CAP_SYS_ADMIN`, or start Palyra as a user without rights',
  });
}
