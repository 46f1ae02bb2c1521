import { PalyraError } from '@palyra/kernel';
import type { RunEvent } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { runEvent, textDelta } from '../../testing/run-events.ts';
import { followRun } from './follow-run.ts';

const attested = (sequence: bigint) =>
  runEvent({ case: 'toolAttested', value: { callId: `${sequence}` } }, sequence);

/** What is heard of a run whose first stream breaks, and after what it is asked for again. */
async function heardOver(first: readonly RunEvent[], second: readonly RunEvent[]) {
  const asked: bigint[] = [];
  const heard: string[] = [];
  await followRun({
    comeBack: () => Promise.resolve(),
    async *open() {
      yield* first;
      throw new PalyraError('DAEMON_UNREACHABLE', 'nobody listens');
    },
    async *openAgain(_runId, afterSequence) {
      asked.push(afterSequence);
      yield* second;
    },
    hear: ({ sequence, event }) =>
      void heard.push(event.case === 'textDelta' ? event.value.text : `${sequence}`),
    signal: new AbortController().signal,
  });
  return { asked, heard };
}

describe('a run that is followed across a lost connection', () => {
  it('is asked for after the last that was recorded, and heard whole, nothing twice', async () => {
    const first = [1n, 2n, 4n].map(attested);
    const second = [4n, 5n, 7n].map(attested);
    const { asked, heard } = await heardOver(first, second);
    expect(asked).toEqual([4n]);
    expect(heard).toEqual(['1', '2', '4', '5', '7']);
  });

  it('says what is being said', async () => {
    const first = [textDelta('known'), attested(1n)];
    const { heard } = await heardOver(first, [textDelta('on its way'), attested(2n)]);
    expect(heard).toEqual(['known', '1', 'on its way', '2']);
  });
});
