import { PalyraError } from '@palyra/kernel';

/** Says as little as possible: a stranger reads it. */
export function refused(): PalyraError {
  return new PalyraError('PAIRING_REFUSED', 'the two sides do not agree on the secret');
}

export function ended(): PalyraError {
  return new PalyraError('PAIRING_ENDED', 'this pairing has ended');
}
