import type { Clock } from '@palyra/kernel';
import type { Pairing } from '@palyra/protocol';
import type { PairingBook } from './pairing-book.ts';
import { hasEnded, isDue } from './pairing-state.ts';

/** A look at one number; the record is read only when that has changed, or its time is over. */
const LOOK_EVERY_MS = 200;

export interface ChangesParts {
  readonly book: PairingBook;
  readonly clock: Clock;
}

/**
 * The pairing now and after each change, the one that ends it included. Another gateway on the same
 * store may make them. Contract: rejects with the signal's reason; nothing for one that is not there.
 */
export async function* changesOf(
  { book, clock }: ChangesParts,
  pairingId: string,
  signal: AbortSignal,
): AsyncGenerator<Pairing, undefined> {
  let seen = 0;
  for (;;) {
    const revision = book.revision();
    const kept = await book.get(pairingId);
    if (kept === undefined) return;
    if (kept.version !== seen) yield kept.pairing;
    if (hasEnded(kept.pairing)) return;
    seen = kept.version;
    while (book.revision() === revision && !isDue(kept.pairing, clock.now())) {
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
    signal.throwIfAborted();
  }
}
