import { create } from '@bufbuild/protobuf';
import { type RunEvent, RunEventSchema } from '@palyra/protocol';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RunFeed } from './run-feed.ts';
import type { Ways } from './ways.ts';

beforeEach(() => {
  // Drawn by nobody: what was heard is told when the feed is stopped or opens its stream again.
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
});
afterEach(() => void vi.unstubAllGlobals());

function proposed(sequence: number): RunEvent {
  const value = { callId: `${sequence}`, tool: 'fs.read' };
  return create(RunEventSchema, {
    runId: 'run',
    sequence: BigInt(sequence),
    event: { case: 'toolProposed', value },
  });
}

/** Every number from the first to the last. */
function numbers(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, place) => first + place);
}

/** The calls that are told of after these streams, each broken off, and after what each was asked. */
function heardOver(streams: readonly (readonly number[])[]) {
  const asked: bigint[] = [];
  const alone: Ways['alone'] = async ({ after, onAgain, onMessage }) => {
    for (const stream of streams) {
      onAgain();
      asked.push(after());
      for (const sequence of stream) onMessage(proposed(sequence));
    }
  };
  const shared: Ways['shared'] = async () => {
    throw new Error('this run has a stream of its own');
  };
  const feed = new RunFeed({ runId: 'run', ways: { alone, shared }, onChange: () => undefined });
  feed.start('alone');
  feed.stop();
  const calls = feed.story.items.map((item) => (item.kind === 'call' ? item.callId : item.kind));
  return { asked, calls };
}

it('a stream that is opened again is asked for what may have been late when it broke', () => {
  const { asked } = heardOver([numbers(1, 100), numbers(38, 200), []]);
  expect(asked).toEqual([0n, 37n, 137n]);
});

it('a call that was late when the stream broke is told of once, in its place', () => {
  const { calls } = heardOver([[1, 2, 4, 5], numbers(1, 6)]);
  expect(calls).toEqual(['1', '2', '3', '4', '5', '6']);
});
