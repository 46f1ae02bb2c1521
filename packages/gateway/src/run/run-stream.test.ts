import { expect, it } from 'vitest';
import { RunStream } from './run-stream.ts';

it('thoughts of the message that is being made are heard by whoever comes later', async () => {
  const stream = new RunStream('01JRUN', 10);
  using early = stream.subscribe();
  stream.think('hm');
  stream.speak('yes');
  using late = stream.subscribe();
  stream.end();
  const { signal } = new AbortController();
  const cases = async (watcher: typeof early) =>
    (await Array.fromAsync(watcher.events(signal))).map(({ event }) => event.case);
  expect(await cases(early)).toEqual(['reasoningDelta', 'textDelta']);
  expect(await cases(late)).toEqual(['reasoningDelta', 'textDelta']);
});
