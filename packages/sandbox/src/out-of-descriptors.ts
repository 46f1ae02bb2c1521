import { closeSync, openSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';

const CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

/** Whether that is why something failed, however often it was told on. */
export function isOutOfDescriptors(reason: unknown): boolean {
  for (let error = reason; error instanceof Error; error = error.cause) {
    if ('code' in error && CODES.has(error.code)) return true;
  }
  return false;
}

export function outOfDescriptors(cause?: unknown): PalyraError {
  return new PalyraError('SANDBOX_FAILED', 'the gateway has run out of file descriptors', {
    cause,
    help: 'run fewer commands at the same time, or raise its limit: `LimitNOFILE=` of its systemd unit, or `ulimit -n` before it is started',
  });
}

/** A call that gives descriptors, two at most, gave none: whether so few are left, or what else is to be said. */
export function noneGiven(otherwise: () => PalyraError): PalyraError {
  using opened = new DisposableStack();
  try {
    for (let left = 2; left > 0; left -= 1) opened.adopt(openSync('/dev/null', 'r'), closeSync);
    return otherwise();
  } catch (cause) {
    return isOutOfDescriptors(cause) ? outOfDescriptors(cause) : otherwise();
  }
}
