import { describe, expect, it } from 'vitest';
import type { Keepsake, ModelRequest } from './model-port.ts';
import { modelServer, streams } from './testing/model-server.fixture.ts';
import { HELLO } from './testing/sample-request.fixture.ts';
import { hear, hearTurn, testModel } from './testing/test-model.fixture.ts';
import { WIRES } from './testing/wire-answers.fixture.ts';

const SPEECH = {
  reasoning: ['hm'],
  text: ['let me look'],
  calls: [{ name: 'fs_read', args: { path: 'a' } }],
} as const;

/** What the provider has to find in the next request, as its own words had it. */
const WANTED_BACK: Readonly<Record<string, string>> = {
  'openai chat': '"reasoning_content":"hm"',
  'openai responses': '"encrypted_content":"c2VhbGVk"',
  anthropic: '{"type":"thinking","thinking":"hm","signature":"c2ln"}',
  google: '"thoughtSignature":"c2ln"',
};

function afterCall(keepsake: Keepsake | undefined): ModelRequest {
  const toolCalls = [{ callId: 'c1', tool: 'fs.read', argumentsJson: '{"path":"a"}' }];
  const turn = { role: 'model', text: 'let me look', toolCalls } as const;
  return {
    ...HELLO,
    conversation: [
      ...HELLO.conversation,
      keepsake === undefined ? turn : { ...turn, keepsake },
      { role: 'tool', callId: 'c1', text: 'the file' },
    ],
  };
}

describe.each(Object.entries(WIRES))('thoughts of a model that speaks %s', (name, wire) => {
  const wanted = WANTED_BACK[name] ?? '';

  it('go back to it with the results of its calls', async () => {
    await using server = await modelServer(streams(wire.speak(SPEECH)));
    using test = await testModel({ wire, url: server.url });
    const { keepsake } = await hearTurn(test.model, HELLO);
    await hear(test.model, afterCall(keepsake));
    expect(JSON.stringify(server.received[0]?.body)).not.toContain(wanted);
    expect(JSON.stringify(server.received[1]?.body)).toContain(wanted);
  });

  it('go to no other model', async () => {
    await using server = await modelServer(streams(wire.speak(SPEECH)));
    using test = await testModel({ wire, url: server.url });
    const { keepsake } = await hearTurn(test.model, HELLO);
    using other = await testModel({ wire, url: server.url, settings: { model: 'other' } });
    await hear(other.model, afterCall(keepsake));
    expect(JSON.stringify(server.received[1]?.body)).not.toContain(wanted);
  });

  it('are not kept when they are too long, and the turn is whole', async () => {
    const reasoning = ['x'.repeat(600_000)];
    await using server = await modelServer(streams(wire.speak({ ...SPEECH, reasoning })));
    using test = await testModel({ wire, url: server.url });
    const { keepsake, events, error } = await hearTurn(test.model, HELLO);
    expect(error).toBeUndefined();
    expect(events.at(-1)?.kind).toBe('tool-call');
    // What Google signs is short whatever was thought.
    expect(keepsake === undefined).toBe(name !== 'google');
  });
});
