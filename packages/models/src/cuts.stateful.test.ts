import { describe, expect, it } from 'vitest';
import { AnswerReader } from './answer-reader.ts';
import { anthropic } from './anthropic/provider.ts';
import { ModelFailure } from './failure.ts';
import { google } from './google/provider.ts';
import type { ModelRequest, SaidEvent } from './model-port.ts';
import { toolNames } from './names.ts';
import { openaiChat } from './openai-chat/provider.ts';
import { openaiResponses } from './openai-responses/provider.ts';
import { type Answer, modelServer } from './testing/model-server.fixture.ts';
import { HELLO } from './testing/sample-request.fixture.ts';
import { hear, testModel } from './testing/test-model.fixture.ts';
import { WIRES, type WireFixture, eventsOf } from './testing/wire-answers.fixture.ts';
import type { Wire } from './wire.ts';

const SPEECH = {
  reasoning: ['hm, 🦊'],
  text: ['größe ', 'b\n'],
  calls: [{ name: 'fs_write', args: { path: 'ä.txt' } }],
  usage: { input: 100, output: 20, cached: 60 },
} as const;
const TOOLS: ModelRequest = {
  ...HELLO,
  tools: [{ name: 'fs.write', says: 'writes', schema: {} }],
};
const WHOLE = eventsOf(SPEECH);

const spoken = (events: readonly SaidEvent[]) => events.filter(({ kind }) => kind !== 'usage');

function wireOf({ provider, api }: WireFixture): Wire {
  if (provider === 'openai') return api === 'chat' ? openaiChat : openaiResponses;
  return provider === 'anthropic' ? anthropic : google;
}

interface Cut {
  readonly said: readonly SaidEvent[];
  readonly error: unknown;
}

/** What comes of an answer of which only these bytes arrive. */
function read(wire: Wire, bytes: Uint8Array): Cut {
  const reader = new AnswerReader(wire.reader(toolNames(TOOLS.tools)));
  const said: SaidEvent[] = [];
  try {
    for (const event of reader.push(bytes)) said.push(event);
    const { toolCalls, failure } = reader.ending;
    return { said: [...said, ...toolCalls], error: failure };
  } catch (error) {
    return { said, error };
  }
}

describe.each(Object.entries(WIRES))('a stream of %s', (_name, fixture) => {
  const bytes = Buffer.from(fixture.speak(SPEECH));

  it('that ends after any byte is whole, or a beginning without a call and a failure', () => {
    for (let place = 0; place <= bytes.length; place += 1) {
      const { said, error } = read(wireOf(fixture), bytes.subarray(0, place));
      if (error === undefined) {
        expect(said, `cut at ${place}`).toEqual(spoken(WHOLE));
        continue;
      }
      expect(error, `cut at ${place}`).toBeInstanceOf(ModelFailure);
      expect(said, `cut at ${place}`).toEqual(spoken(WHOLE).slice(0, said.length));
      expect(said.map(({ kind }) => kind)).not.toContain('tool-call');
    }
    expect(read(wireOf(fixture), bytes).error).toBeUndefined();
  });

  it('that is broken at any place comes out whole when it is asked for anew, with each call once', async () => {
    let place = 0;
    let isBroken = false;
    const everyOther: Answer = (response, socket) => {
      isBroken = !isBroken;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (isBroken) response.write(bytes.subarray(0, place), () => socket.resetAndDestroy());
      else response.end(bytes);
    };
    await using server = await modelServer(everyOther);
    using test = await testModel({ wire: fixture, url: server.url });
    for (; place < bytes.length; place += EVERY) {
      isBroken = false;
      const { events, error } = await hear(test.model, TOOLS);
      expect(error, `broken at ${place}`).toBeUndefined();
      expect(spoken(events), `broken at ${place}`).toEqual(spoken(WHOLE));
    }
  });
});

/** Bytes; no divisor of anything in the streams. */
const EVERY = 23;
