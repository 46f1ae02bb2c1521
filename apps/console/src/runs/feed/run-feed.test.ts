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

it('a stream that is opened again is asked for what comes after the last that was heard', () => {
  const { asked } = heardOver([[1, 2, 5], [6, 9], []]);
  expect(asked).toEqual([0n, 5n, 9n]);
});

it('a call that is told of twice, before and after the stream broke, is there once', () => {
  const { calls } = heardOver([
    [1, 2, 4],
    [4, 5],
  ]);
  expect(calls).toEqual(['1', '2', '4', '5']);
});
