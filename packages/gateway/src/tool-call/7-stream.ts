import type { SealedEntry } from '@palyra/kernel';
import { eventOf } from '../run/run-event.ts';
import type { RunStream } from '../run/run-stream.ts';

/** Takes sealed entries only: nobody hears of what is not yet on disk. */
export function publish(entries: readonly SealedEntry[], stream: RunStream): void {
  for (const entry of entries) stream.publish(eventOf(entry));
}
