import { PalyraError, type RunId } from '@palyra/kernel';
import type { JournalPort } from '../ports.ts';
import { eventOf } from '../run/run-event.ts';
import type { RunStream } from '../run/run-stream.ts';

/**
 * Whoever watches a run hears of each of its entries as soon as that is on disk, in the order of the
 * journal, whichever of its calls or whoever beside them wrote it. Nobody else publishes entries, so
 * nobody hears of what is not yet on disk, and who goes on after the last that they heard misses nothing.
 */
export function publishFrom(
  journal: Pick<JournalPort, 'subscribe'>,
  streamOf: (runId: RunId) => RunStream | undefined,
): Disposable {
  return journal.subscribe((entries) => {
    for (const entry of entries) {
      // Whoever watches has heard what was spoken, and hears it again as a message.
      if (entry.runId === undefined || entry.kind === 'model.spoken') continue;
      const stream = streamOf(entry.runId);
      try {
        stream?.publish(eventOf(entry));
      } catch (reason) {
        // Only those who watch this run are told: the journal's other listeners have to hear it, too.
        stream?.end(PalyraError.from(reason));
      }
    }
  });
}
