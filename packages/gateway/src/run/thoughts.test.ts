import { Role } from '@palyra/protocol';
import { ownerCaller, talkingModel, testGateway } from '@palyra/testkit';
import { expect, it } from 'vitest';
import type { ModelEvent, ModelPort } from '../ports.ts';
import { Thoughts } from './thoughts.ts';

const ada = ownerCaller(Role.OWNER);
const never = new AbortController().signal;

const think = (text: string): ModelEvent => ({ kind: 'reasoning', text });
const CALL: ModelEvent = { kind: 'tool-call', tool: 'nothing', argumentsJson: '{}' };

it('what was thought is told, in its place, to whoever comes while the run goes on, and to nobody later', async () => {
  const stop = Promise.withResolvers<void>();
  const turns = talkingModel(
    [think('first'), CALL],
    [think('second'), { kind: 'text', text: 'a' }],
  );
  const model: ModelPort = {
    ...turns,
    async *reply(request, signal) {
      yield* turns.reply(request, signal);
      if (request.conversation.length > 1) await stop.promise;
    },
  };
  await using test = await testGateway({ model });
  const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
  for await (const { event } of run.events(never)) if (event.case === 'textDelta') break;
  const watch = () => test.gateway.runs.watch({ runId: run.runId, after: 0 }, ada, never);
  const heard: string[] = [];
  for await (const { event } of watch()) {
    if (event.case === 'reasoningDelta' || event.case === 'textDelta') heard.push(event.value.text);
    if (event.case === 'modelMessage') heard.push('message');
    if (event.case === 'textDelta') stop.resolve();
  }
  expect(heard).toEqual(['first', 'message', 'second', 'a', 'message']);
  const later = await Array.fromAsync(watch());
  expect(later.map(({ event }) => event.case)).not.toContain('reasoningDelta');
});

it('thoughts are remembered within bounds', () => {
  const thoughts = new Thoughts();
  for (let sequence = 1n; sequence <= 100n; sequence += 1n) {
    thoughts.think(`${'x'.repeat(10_000)}${sequence}`);
    thoughts.speak(sequence);
  }
  expect(thoughts.before(36n)).toBe('');
  expect(thoughts.before(37n)).toHaveLength(8_192);
  expect(thoughts.before(100n).endsWith('100')).toBe(true);
  thoughts.think('lost');
  thoughts.drop();
  thoughts.speak(101n);
  expect([thoughts.now, thoughts.before(101n)]).toEqual(['', '']);
});
