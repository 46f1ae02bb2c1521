import { describe, expect, it } from 'vitest';
import type { ModelRequest } from './model-port.ts';
import {
  dribbles,
  modelServer,
  refuses,
  resets,
  stalls,
  streams,
  truncates,
} from './testing/model-server.fixture.ts';
import { HELLO } from './testing/sample-request.fixture.ts';
import { TEST_KEY, hear, testModel } from './testing/test-model.fixture.ts';
import { type WireFixture, WIRES, eventsOf } from './testing/wire-answers.fixture.ts';

const SPEECH = {
  reasoning: ['hm, ', 'größe 🦊'],
  text: ['a ', 'b\n', '🦊'],
  calls: [
    { name: 'fs_read', args: { path: 'ä.txt', lines: [1, 2] } },
    { name: 'process_run', args: {} },
  ],
  usage: { input: 100, output: 20, cached: 60 },
} as const;

const TOOLS: ModelRequest = {
  ...HELLO,
  tools: ['fs.read', 'process.run'].map((name) => ({ name, says: name, schema: {} })),
};

const readLine = (line: number) => ({ name: 'fs_read', args: { path: 'a.txt', line } });

const CASES = Object.entries(WIRES);

describe.each(CASES)('a model that speaks %s', (_name, wire) => {
  it('streams text, reasoning, parallel tool calls and usage', async () => {
    await using server = await modelServer(streams(wire.speak(SPEECH)));
    using test = await testModel({ wire, url: server.url });
    expect(await hear(test.model, TOOLS)).toEqual({ events: eventsOf(SPEECH), error: undefined });
  });

  it('says the same when every byte comes alone', async () => {
    await using server = await modelServer(dribbles(wire.speak(SPEECH)));
    using test = await testModel({ wire, url: server.url });
    expect((await hear(test.model, TOOLS)).events).toEqual(eventsOf(SPEECH));
  });

  it('gets the key in its header and nowhere else', async () => {
    await using server = await modelServer(streams(wire.speak({ text: ['a'] })));
    using test = await testModel({ wire, url: server.url });
    await hear(test.model);
    const [request] = server.received;
    expect(request?.path).toBe(wire.path);
    expect(request?.headers[wire.keyHeader]).toBe(wire.key(TEST_KEY));
    expect(JSON.stringify([request?.path, request?.body])).not.toContain(TEST_KEY);
  });

  it('speaks before its turn is over', async () => {
    const [first = ''] = wire.speak({ text: ['first'] }).split(/(?<=first"[^\n]*\n\n)/);
    await using server = await modelServer(stalls(first));
    using test = await testModel({ wire, url: server.url });
    const controller = new AbortController();
    for await (const event of test.model.reply(HELLO, controller.signal)) {
      expect(event).toEqual({ kind: 'text', text: 'first' });
      break;
    }
    await expect(server.received[0]?.closed).resolves.toBeUndefined();
  });

  it('uses a connection again after a whole answer', async () => {
    await using server = await modelServer(streams(wire.speak({ text: ['a'] })));
    using test = await testModel({ wire, url: server.url });
    for (let turn = 0; turn < 5; turn += 1) await hear(test.model);
    expect(server.received).toHaveLength(5);
    expect(server.connections).toBe(1);
  });

  it('fails at its output limit and says no tool call, but what it cost', async () => {
    await using server = await modelServer(streams(wire.speak({ ...SPEECH, finish: 'limit' })));
    using test = await testModel({ wire, url: server.url });
    const { events, error } = await hear(test.model, TOOLS);
    expect(events.map(({ kind }) => kind)).not.toContain('tool-call');
    expect(events.at(-1)).toMatchObject({ kind: 'usage', inputTokens: 100 });
    expect(error).toMatchObject({ code: 'MODEL_FAILED', reason: 'output-limit' });
  });

  it('may ask for many calls at once', async () => {
    const speech = { calls: Array.from({ length: 1024 }, (_, line) => readLine(line)) };
    await using server = await modelServer(streams(wire.speak(speech)));
    using test = await testModel({ wire, url: server.url });
    expect(await hear(test.model, TOOLS)).toEqual({ events: eventsOf(speech), error: undefined });
  });

  it('is not asked again when it wants more calls than fit in a turn', async () => {
    const calls = Array.from({ length: 1025 }, (_, line) => readLine(line));
    await using server = await modelServer(streams(wire.speak({ calls })));
    using test = await testModel({ wire, url: server.url });
    const { events, error } = await hear(test.model, TOOLS);
    expect(events.map(({ kind }) => kind)).not.toContain('tool-call');
    expect(error).toMatchObject({
      code: 'MODEL_FAILED',
      reason: 'too-much-said',
      message: 'a turn has more than 1024 tool calls',
      help: expect.stringContaining('ask for less at once'),
    });
    expect(server.received).toHaveLength(1);
  });

  it('has a price for tokens that nobody told of, of the dearest that may have answered', async () => {
    const name = `${wire.provider}:test-model`;
    const prices = [`${name} 1 2`, `${wire.provider}:other 3 4`];
    const tokens = { inputTokens: 10, outputTokens: 1 };
    const url = 'http://127.0.0.1:1';
    using alone = await testModel({ wire, url, settings: { prices } });
    expect(alone.model.price(tokens)).toBe(12);
    const failover = [`${wire.provider}:other`];
    using backed = await testModel({ wire, url, settings: { prices, failover } });
    expect(backed.model.price({ ...tokens, model: name })).toBe(34);
    using free = await testModel({ wire, url });
    expect(free.model.price(tokens)).toBeUndefined();
  });

  it('tells when the provider refuses to go on', async () => {
    await using server = await modelServer(streams(wire.speak({ text: [], finish: 'refusal' })));
    using test = await testModel({ wire, url: server.url });
    expect((await hear(test.model)).error).toMatchObject({ reason: 'refused' });
    expect(server.received).toHaveLength(1);
  });

  it('fails in the middle of a stream with the words of the provider', async () => {
    const spoken = untilEnd(wire, 'first');
    await using server = await modelServer(streams(spoken + wire.errorInStream));
    using test = await testModel({ wire, url: server.url, settings: { attempts: 1 } });
    const { events, error } = await hear(test.model);
    expect(events).toEqual([{ kind: 'text', text: 'first' }]);
    expect(error).toMatchObject({
      reason: 'overloaded',
      message: expect.stringMatching(/`upstream is gone`$/),
    });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['an error in the stream', streams(wire.errorInStream)],
    ['a reset', resets('')],
    ['a stream that is cut', truncates(': hello\n\n')],
    ['an answer without an end', streams(': hello\n\n')],
    ['garbage', streams('data: {"choices\n\n')],
    ['bytes that are not text', garbageBytes],
    ['a broken server', refuses({ status: 500, body: '<html>oh no</html>' })],
    ['an overloaded server', refuses({ status: 529, body: { error: { message: 'busy' } } })],
  ])('asks again after %s before the first word', async (_fault, fault) => {
    await using server = await modelServer(fault, fault, streams(wire.speak({ text: ['a'] })));
    using test = await testModel({ wire, url: server.url });
    expect(await hear(test.model)).toEqual({
      events: [{ kind: 'text', text: 'a' }],
      error: undefined,
    });
    expect(test.waits).toEqual([250, 500]);
    expect(test.logged).toHaveLength(2);
  });

  it.each([
    ['reset', resets],
    ['cut', truncates],
  ])('starts over when it is %s after the first word, and says so', async (_fault, fault) => {
    const whole = streams(wire.speak({ text: ['second'] }));
    await using server = await modelServer(fault(untilEnd(wire, 'first')), whole);
    using test = await testModel({ wire, url: server.url });
    const events = await Array.fromAsync(test.model.reply(HELLO, new AbortController().signal));
    expect(events).toMatchObject([
      { kind: 'text', text: 'first' },
      { kind: 'asked-again', model: `${wire.provider}:test-model`, waitMs: 250 },
      { kind: 'text', text: 'second' },
    ]);
    expect(server.received).toHaveLength(2);
  });

  it('fails when every answer breaks off, and gives what was heard last', async () => {
    await using server = await modelServer(resets(untilEnd(wire, 'first')));
    using test = await testModel({ wire, url: server.url });
    const { events, error } = await hear(test.model);
    expect(events).toEqual([{ kind: 'text', text: 'first' }]);
    expect(error).toMatchObject({ code: 'MODEL_FAILED', reason: 'broken-stream' });
    expect(server.received).toHaveLength(4);
  });

  it('never says a tool call of a turn that broke off', async () => {
    const whole = wire.speak(SPEECH);
    for (let cut = 1; cut < 4; cut += 1) {
      const half = whole.slice(0, whole.lastIndexOf('\n\n', whole.length * (cut / 4)) + 2);
      await using server = await modelServer(streams(half));
      using test = await testModel({ wire, url: server.url, settings: { attempts: 1 } });
      const { events, error } = await hear(test.model, TOOLS);
      expect(events.map(({ kind }) => kind)).not.toContain('tool-call');
      expect(error).toMatchObject({ reason: 'broken-stream' });
    }
  });

  it('closes the connection when it is cancelled, as the server sees', async () => {
    await using server = await modelServer(stalls(untilEnd(wire, 'first')));
    using test = await testModel({ wire, url: server.url });
    const controller = new AbortController();
    const reason = new Error('taken back');
    const said: unknown[] = [];
    const speak = async () => {
      for await (const event of test.model.reply(HELLO, controller.signal)) {
        said.push(event);
        controller.abort(reason);
      }
    };
    await expect(speak()).rejects.toBe(reason);
    expect(said).toHaveLength(1);
    await expect(server.received[0]?.closed).resolves.toBeUndefined();
  });

  it('closes the connection when it is cancelled before an answer', async () => {
    await using server = await modelServer(() => undefined);
    using test = await testModel({ wire, url: server.url });
    const controller = new AbortController();
    const reason = new Error('taken back');
    const request = server.next();
    const heard = hear(test.model, HELLO, controller.signal);
    const { closed } = await request;
    controller.abort(reason);
    expect(await heard).toEqual({ events: [], error: reason });
    await closed;
  });
});

/** The stream of one word, up to where it would end. */
function untilEnd(wire: WireFixture, word: string): string {
  const [start = ''] = wire.speak({ text: [word] }).split(/(?<=first"[^\n]*\n\n)/);
  return start;
}

function garbageBytes(...[response]: Parameters<ReturnType<typeof streams>>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(Uint8Array.of(0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xfe, 0x0a, 0x0a));
}
