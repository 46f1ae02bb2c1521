import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';
import { storeHome } from '../rig/home.ts';
import { runStories } from '../rig/run-story.ts';
import { openAt } from '../rig/stores.ts';
import { scriptsFrom, write } from '../rig/writers.ts';

const WRITING = 'event loop, 64 writers';
const RESTING = 'event loop, at rest';
const RESOLUTION_MS = 1;
/** More than any machine writes in one sample. */
const MOST_RUNS = 6_400;

export const journalLoopDelay: Figure = {
  says: 'How long the event loop keeps others waiting (99th percentile) while 64 writers append without a pause, against the same process at rest.',
  targets: [{ kind: 'difference', subject: WRITING, baseline: RESTING, limit: { atMost: 5 } }],
  measure: async (scale) => {
    const sampleMs = scale === 'small' ? 100 : 1_500;
    const scripts = scriptsFrom(runStories(scale === 'small' ? 160 : MOST_RUNS));
    const run = await interleave({
      title: 'delay of the event loop, p99',
      quantity: DURATION,
      subjects: [
        subject(WRITING, async () => {
          await using home = await storeHome();
          await using journal = await openAt(home.places);
          const endAt = performance.now() + sampleMs;
          return await delayDuring(() => write(journal, scripts, () => performance.now() > endAt));
        }),
        subject(RESTING, () => delayDuring(() => sleep(sampleMs))),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 1, rounds: 8 }),
    });
    const notes = [
      `A timer of ${RESOLUTION_MS} ms is late by this much; each round samples ${sampleMs / 1_000} s.`,
    ];
    return { runs: [run], notes };
  },
};

async function delayDuring(work: () => Promise<unknown>): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  await work();
  histogram.disable();
  return Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS);
}
