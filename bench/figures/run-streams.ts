import type { PalyraClient } from '@palyra/client';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';
import { openAgentSite, runThrough } from '../rig/agent.ts';

const STREAMS = 200;
const DELAY = `p99 of the event loop's delay, ${STREAMS} streams`;
const RESTING = "p99 of the event loop's delay, at rest";
/** As long as the daemon looks back. */
const WINDOW_MS = 10_000;

export const runStreams: Figure = {
  says: `How late the daemon's event loop is while ${STREAMS} runs stream twenty words a second each, as it tells itself over ten seconds.`,
  targets: [{ kind: 'value', subject: DELAY, limit: { atMost: 20 } }],
  measure: async (scale) => {
    await using site = await openAgentSite();
    const load = {
      streams: scale === 'small' ? 2 : STREAMS,
      ms: scale === 'small' ? 50 : WINDOW_MS,
    };
    const run = await interleave({
      title: 'many streams',
      quantity: DURATION,
      subjects: [
        subject(DELAY, () => delayUnder(site.client, load)),
        subject(RESTING, () => delayUnder(site.client, { ...load, streams: 0 })),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 1, rounds: 5 }),
    });
    return { runs: [run], notes: ['A run lasts two seconds; the next one begins at once.'] };
  },
};

async function delayUnder(
  client: PalyraClient,
  { streams, ms }: { readonly streams: number; readonly ms: number },
): Promise<number> {
  const endAt = performance.now() + ms;
  const stream = async () => {
    while (performance.now() < endAt) await runThrough(client, 'keep talking');
  };
  const all = Array.from({ length: streams }, stream);
  await new Promise((resolve) => setTimeout(resolve, ms));
  const { eventLoopDelayP99Ms } = await client.health.getHealth({});
  await Promise.all(all);
  return eventLoopDelayP99Ms;
}
