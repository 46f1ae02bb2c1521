import { performance } from 'node:perf_hooks';
import type { Journal } from '@palyra/journal';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';
import { cachedStore, openAt } from '../rig/stores.ts';

const LONG = 'newest page, 1 million entries';
const SHORT = 'newest page, 1 thousand entries';
const PAGE_ENTRIES = 100;
/** One alone is too short to be timed. */
const PAGES = 20;

export const journalPage: Figure = {
  says: 'Listing the newest hundred entries of the journal, as the page of the console does when it opens.',
  targets: [{ kind: 'ratio', subject: LONG, baseline: SHORT, limit: { atMost: 1.2 } }],
  measure: async (scale) => {
    await using long = await openAt(await cachedStore(scale === 'small' ? 2_000 : 1_000_000));
    await using short = await openAt(await cachedStore(1_000));
    const run = await interleave({
      title: 'newest page',
      quantity: DURATION,
      subjects: [subject(LONG, () => timePages(long)), subject(SHORT, () => timePages(short))],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 10, rounds: 50 }),
    });
    return { runs: [run], notes: [`Each time is of ${PAGES} pages, one after the other.`] };
  },
};

async function timePages(journal: Journal): Promise<number> {
  const startedAt = performance.now();
  for (let page = 0; page < PAGES; page += 1) {
    const { entries } = await journal.list({ limit: PAGE_ENTRIES });
    if (entries.length !== PAGE_ENTRIES) throw new Error('the store of the benchmark is too short');
  }
  return performance.now() - startedAt;
}
