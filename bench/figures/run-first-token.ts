import type { PalyraClient } from '@palyra/client';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, type Readings, interleave } from '../harness.ts';
import { askModel, openAgentSite } from '../rig/agent.ts';

const STREAMS = 50;
/** A stream takes about two seconds; so many others begin while one is open. */
const BETWEEN_STARTS_MS = 40;
const PROMPT = 'keep talking';

const THROUGH = `first word through the gateway, ${STREAMS} streams`;
const DIRECT = `first word from the model itself, ${STREAMS} streams`;

export const runFirstToken: Figure = {
  says: `From the request to the first word of the model, with ${STREAMS} streams open at a time, one beginning after another; against the same load on the model itself.`,
  targets: [{ kind: 'difference', subject: THROUGH, baseline: DIRECT, limit: { atMost: 5 } }],
  measure: async (scale) => {
    await using site = await openAgentSite();
    const words = JSON.stringify({ messages: [{ role: 'user', content: PROMPT }] });
    const streams = scale === 'small' ? 2 : STREAMS;
    const run = await interleave({
      title: 'the first word',
      quantity: DURATION,
      subjects: [
        () => medianOf(THROUGH, streams, () => firstWord(site.client)),
        () => medianOf(DIRECT, streams, () => askModel(site.model.port, words)),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 1, rounds: 9 }),
    });
    return { runs: [run], notes: ['Each sample is the median of the streams of one round.'] };
  },
};

async function medianOf(
  name: string,
  streams: number,
  firstMs: () => Promise<number>,
): Promise<Readings> {
  const started = Array.from({ length: streams }, async (_, place) => {
    await new Promise((resolve) => setTimeout(resolve, place * BETWEEN_STARTS_MS));
    return await firstMs();
  });
  const all = (await Promise.all(started)).toSorted((a, b) => a - b);
  return { [name]: all[Math.floor(all.length / 2)] ?? 0 };
}

async function firstWord(client: PalyraClient): Promise<number> {
  const startedAt = performance.now();
  let firstMs: number | undefined;
  for await (const { event } of client.runs.startRun({ prompt: PROMPT })) {
    if (event.case === 'textDelta') firstMs ??= performance.now() - startedAt;
  }
  if (firstMs === undefined) throw new Error('the model said nothing');
  return firstMs;
}
