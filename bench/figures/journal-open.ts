import { performance } from 'node:perf_hooks';
import type { Places } from '@palyra/kernel';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';
import { cachedStore, openAt } from '../rig/stores.ts';

const LONG = 'open, 1 million entries';
const SHORT = 'open, 10 thousand entries';

export const journalOpen: Figure = {
  says: 'Opening the journal, signatures at both ends checked, until it can append.',
  targets: [{ kind: 'ratio', subject: LONG, baseline: SHORT, limit: { atMost: 1.2 } }],
  measure: async (scale) => {
    const long = await cachedStore(scale === 'small' ? 2_000 : 1_000_000);
    const short = await cachedStore(scale === 'small' ? 1_000 : 10_000);
    const run = await interleave({
      title: 'opening',
      quantity: DURATION,
      subjects: [subject(LONG, () => timeOpen(long)), subject(SHORT, () => timeOpen(short))],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 10, rounds: 100 }),
    });
    return { runs: [run], notes: ['Both files are in the page cache.'] };
  },
};

async function timeOpen(places: Places): Promise<number> {
  const startedAt = performance.now();
  await using journal = await openAt(places);
  const elapsedMs = performance.now() - startedAt;
  if (journal.tip().sequence === 0) throw new Error('the store of the benchmark is empty');
  return elapsedMs;
}
