import { create } from '@bufbuild/protobuf';
import { RunEventSchema, RunStatus } from '@palyra/protocol';
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

it('what happens just as a watcher begins to wait is heard, and so is that it is to leave', async () => {
  const stream = new RunStream('01JRUN', 10);
  using watcher = stream.subscribe();
  const leaving = new AbortController();
  const events = watcher.events(leaving.signal);
  const first = events.next();
  stream.speak('yes');
  expect((await first).value?.event.case).toBe('textDelta');
  const second = events.next();
  leaving.abort(new TypeError('gone'));
  await expect(second).rejects.toThrow('gone');
});

it('words that come faster than they are heard are told together, and cut nobody off', async () => {
  const stream = new RunStream('01JRUN', 16);
  using watcher = stream.subscribe();
  const words = Array.from({ length: 1000 }, (_, place) => `${place} `);
  for (const word of words) stream.think(word);
  for (const word of words) stream.speak(word);
  stream.end();
  const heard = await Array.fromAsync(watcher.events(new AbortController().signal));
  const textOf = (kind: string) =>
    heard
      .map(({ event }) => (event.case === kind && 'text' in event.value ? event.value.text : ''))
      .join('');
  expect(heard.length).toBeLessThanOrEqual(16);
  expect(textOf('reasoningDelta')).toBe(words.join(''));
  expect(textOf('textDelta')).toBe(words.join(''));
});

it('what running calls have printed is heard once, from the start, by whoever comes to watch', async () => {
  const stream = new RunStream('01JRUN', 100);
  const print = (callId: string, text: string) =>
    stream.print(callId, { isErrorOutput: false, bytes: new TextEncoder().encode(text) });
  print('A', 'one ');
  print('B', 'gone');
  using watcher = stream.subscribe();
  print('A', 'two ');
  stream.publish(
    create(RunEventSchema, {
      sequence: 7n,
      event: { case: 'toolFinished', value: { callId: 'B', output: 'gone' } },
    }),
  );
  stream.catchUp(watcher, 7n);
  print('A', 'three');
  stream.end();
  const heard = await Array.fromAsync(watcher.events(new AbortController().signal));
  const outputs = heard.map(({ event }) =>
    event.case === 'toolOutput'
      ? [event.value.callId, new TextDecoder().decode(event.value.data), event.value.leftOutBytes]
      : event.case,
  );
  expect(outputs).toEqual([
    ['A', 'one two ', 0n],
    ['A', 'three', undefined],
  ]);
});

it('an end that a replay has told is not told again when the run lets go', async () => {
  const stream = new RunStream('01JRUN', 10);
  using watcher = stream.subscribe();
  const value = { status: RunStatus.COMPLETED };
  stream.publish(create(RunEventSchema, { sequence: 7n, event: { case: 'runEnded', value } }));
  stream.catchUp(watcher, 7n);
  stream.end();
  expect(await Array.fromAsync(watcher.events(new AbortController().signal))).toEqual([]);
});
