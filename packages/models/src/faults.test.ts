import { createServer } from 'node:net';
import { systemClock } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { ModelFailure } from './failure.ts';
import { HTTP_LIMITS } from './http.ts';
import { SSE_LIMITS } from './sse.ts';
import {
  type Answer,
  modelServer,
  refuses,
  resets,
  stalls,
  streams,
  tortures,
} from './testing/model-server.fixture.ts';
import { HELLO } from './testing/sample-request.fixture.ts';
import { TEST_KEY, hear, testModel } from './testing/test-model.fixture.ts';
import { WIRES } from './testing/wire-answers.fixture.ts';

const wire = WIRES['openai chat'] ?? Object.values(WIRES)[0];
if (wire === undefined) throw new Error('there is no wire');

const ONE = { attempts: 1 } as const;
const SHORT = {
  ...ONE,
  connect_timeout_ms: 5000,
  first_byte_timeout_ms: 100,
  idle_timeout_ms: 100,
} as const;

async function failureAfter(answer: Answer, settings: object = ONE): Promise<ModelFailure> {
  await using server = await modelServer(answer);
  using test = await testModel({ wire: wire ?? raise(), url: server.url, settings });
  const { error } = await hear(test.model);
  if (error instanceof ModelFailure) return error;
  throw new Error('it did not fail as expected', { cause: error });
}

function raise(): never {
  throw new Error('there is no wire');
}

describe('a provider that is too slow', () => {
  it.each([
    ['never answers', () => undefined, 'the provider did not begin to answer'],
    ['falls silent', stalls('data: {}\n\n'), 'the model fell silent'],
    ['sends headers only', stalls(''), 'the model fell silent'],
    ['sends bytes but no line', tortures(), 'the model fell silent'],
    [
      'stalls an error page',
      ((response) => {
        response.writeHead(500);
        response.write('oh');
      }) satisfies Answer,
      'the model fell silent',
    ],
  ])('and %s is given up', async (_name, answer: Answer, says) => {
    const failure = await failureAfter(answer, SHORT);
    expect(failure.reason).toBe('timed-out');
    expect(failure.message).toContain(says);
  });

  it('and says a line now and then is given up when its time is over', async () => {
    const chatty: Answer = (response, socket) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(': still here\n'), 5);
      socket.once('close', () => clearInterval(timer));
    };
    const failure = await failureAfter(chatty, { ...ONE, total_timeout_ms: 150 });
    expect(failure.message).toBe('the answer of the model was not complete within 150 ms');
  });

  it('loses its connection, as the server sees', async () => {
    await using server = await modelServer(stalls(': hello\n'));
    using test = await testModel({ wire, url: server.url, settings: SHORT });
    await hear(test.model);
    await expect(server.received[0]?.closed).resolves.toBeUndefined();
  });

  it('is not blamed for a listener that takes its time', async () => {
    await using server = await modelServer(streams(wire.speak({ text: ['a', 'b'] })));
    using test = await testModel({ wire, url: server.url, settings: SHORT });
    const said: unknown[] = [];
    for await (const event of test.model.reply(HELLO, new AbortController().signal)) {
      await systemClock().sleep(150, new AbortController().signal);
      said.push(event);
    }
    expect(said).toHaveLength(2);
  });
});

describe('an answer that is none', () => {
  it.each([
    ['a page', refuses({ status: 200, body: '<html>welcome</html>' }), 'not-an-api'],
    ['json', refuses({ status: 200, body: { choices: [] } }), 'not-an-api'],
    ['a page that is not there', refuses({ status: 404, body: '<html></html>' }), 'not-an-api'],
    [
      'a packed stream',
      refuses({
        status: 200,
        body: '',
        headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' },
      }),
      'not-an-api',
    ],
    ['a line without end', streams(`data: ${'x'.repeat(SSE_LIMITS.lineLength)}`), 'broken-stream'],
    [
      'headers without end',
      refuses({ status: 200, body: '', headers: { a: 'x'.repeat(HTTP_LIMITS.headerBytes) } }),
      'broken-stream',
    ],
    ['a reset at once', resets(''), 'broken-stream'],
  ])('because it is %s', async (_name, answer, reason) => {
    expect((await failureAfter(answer)).reason).toBe(reason);
  });

  it('because it is not http', async () => {
    const server = createServer((socket) => socket.resume().end('220 mail.example ready\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    using test = await testModel({ wire, url: `http://127.0.0.1:${port}`, settings: ONE });
    expect((await hear(test.model)).error).toMatchObject({ reason: 'broken-stream' });
    await new Promise((resolve) => server.close(resolve));
  });

  it('because nobody is there', async () => {
    const server = await modelServer();
    await server[Symbol.asyncDispose]();
    using test = await testModel({ wire, url: server.url, settings: ONE });
    expect((await hear(test.model)).error).toMatchObject({
      reason: 'unreachable',
      message: 'the provider cannot be reached (`ECONNREFUSED`)',
    });
  });

  it('and is endless is read to its limit only', async () => {
    let written = 0;
    const endless: Answer = (response, socket) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const line = `: ${'x'.repeat(1024 * 1024)}\n`;
      const write = () => {
        while (!socket.destroyed) {
          written += line.length;
          if (!response.write(line)) return void response.once('drain', write);
        }
      };
      write();
    };
    const failure = await failureAfter(endless);
    expect(failure.message).toBe('the answer is larger than 67108864 bytes');
    expect(written).toBeLessThan(2 * HTTP_LIMITS.answerBytes);
  });
});

describe('a redirect', () => {
  it('is not followed, and the key stays here', async () => {
    await using elsewhere = await modelServer(streams(wire.speak({ text: ['got it'] })));
    const to = { location: `${elsewhere.url}/v1/chat/completions` };
    for (const status of [301, 302, 303, 307, 308]) {
      const failure = await failureAfter(refuses({ status, body: '', headers: to }));
      expect(failure.reason).toBe('not-an-api');
    }
    expect(elsewhere.received).toHaveLength(0);
  });
});

describe('the key', () => {
  it('is in no error and no log, even when the server repeats it', async () => {
    const body = { error: { message: `the key ${TEST_KEY} is wrong`, code: TEST_KEY } };
    await using server = await modelServer(
      refuses({ status: 500, body }),
      refuses({ status: 401, body }),
    );
    using test = await testModel({ wire, url: server.url });
    const { error } = await hear(test.model);
    expect(error).toMatchObject({ reason: 'bad-key', code: 'MODEL_FAILED' });
    expect(test.logged).toHaveLength(1);
    expect(inspectAll([error, test.logged])).not.toContain(TEST_KEY);
  });

  it('is in no error of the connection', async () => {
    const failure = await failureAfter(resets(''));
    expect(inspectAll(failure)).not.toContain(TEST_KEY);
  });
});

describe('a base URL without encryption', () => {
  it.each(['http://192.0.2.1', 'http://model.example', 'http://[2001:db8::1]', 'http://0.0.0.0'])(
    'is refused for %s before anything is sent',
    async (url) => {
      using test = await testModel({ wire, url, settings: ONE });
      expect((await hear(test.model)).error).toMatchObject({
        message: 'the provider may not be spoken to without encryption',
      });
    },
  );

  it('is taken for other addresses when the operator says so', async () => {
    await using server = await modelServer(streams(wire.speak({ text: ['a'] })));
    // Reaches this machine and is not one of its loopback addresses.
    const url = server.url.replace('127.0.0.1', '0.0.0.0');
    using test = await testModel({ wire, url, settings: { ...ONE, plain_text: 'anywhere' } });
    expect((await hear(test.model)).events).toEqual([{ kind: 'text', text: 'a' }]);
  });

  it('is taken for localhost', async () => {
    await using server = await modelServer(streams(wire.speak({ text: ['a'] })));
    const url = server.url.replace('127.0.0.1', 'localhost');
    using test = await testModel({ wire, url, settings: ONE });
    expect((await hear(test.model)).events).toEqual([{ kind: 'text', text: 'a' }]);
  });
});

describe('a provider that wants to be left alone', () => {
  it.each([
    ['seconds', { 'retry-after': '7' }, [7063, 7125]],
    ['milliseconds', { 'retry-after-ms': '1500' }, [1563, 1625]],
  ])('says so in %s and is', async (_unit, headers, waits) => {
    const busy = refuses({ status: 429, body: { error: { message: 'slow down' } }, headers });
    await using server = await modelServer(busy, busy, streams(wire.speak({ text: ['a'] })));
    using test = await testModel({ wire, url: server.url });
    expect((await hear(test.model)).events).toEqual([{ kind: 'text', text: 'a' }]);
    expect(test.waits).toEqual(waits);
  });

  it('for longer than we wait is not asked again', async () => {
    const headers = { 'retry-after': '3600' };
    await using server = await modelServer(
      refuses({ status: 429, body: { error: { message: 'slow down' } }, headers }),
    );
    using test = await testModel({ wire, url: server.url });
    expect((await hear(test.model)).error).toMatchObject({
      reason: 'rate-limited',
      retryAfterMs: 3_600_000,
    });
    expect(server.received).toHaveLength(1);
  });
});

describe('a model that fails', () => {
  it.each([
    [401, { error: { message: 'no' } }],
    [400, { error: { message: 'no' } }],
    [404, { error: { message: 'no' } }],
    [429, { error: { message: 'no', code: 'insufficient_quota' } }],
  ])('with %s is not asked again', async (status, body) => {
    await using server = await modelServer(refuses({ status, body }));
    using test = await testModel({ wire, url: server.url });
    expect((await hear(test.model)).error).toBeInstanceOf(ModelFailure);
    expect(server.received).toHaveLength(1);
  });

  it('is asked as often as allowed and no more', async () => {
    await using server = await modelServer(refuses({ status: 503, body: '' }));
    using test = await testModel({ wire, url: server.url, settings: { attempts: 3 } });
    expect((await hear(test.model)).error).toMatchObject({ reason: 'overloaded' });
    expect(server.received).toHaveLength(3);
  });

  it('is left in peace after failures in a row, until a probe finds it well', async () => {
    let now = 0;
    const clock = {
      now: () => new Date(now),
      sleep: (_ms: number, signal: AbortSignal) => Promise.resolve(signal.throwIfAborted()),
    };
    const broken = refuses({ status: 500, body: '' });
    const well = streams(wire.speak({ text: ['a'] }));
    const answers = [broken, broken, broken, broken, broken, well];
    await using server = await modelServer(...answers);
    using test = await testModel({ wire, url: server.url, settings: ONE, clock });
    for (let turn = 0; turn < 5; turn += 1) await hear(test.model);
    expect((await hear(test.model)).error).toMatchObject({
      reason: 'paused',
      retryAfterMs: 10_000,
      message:
        'the provider failed too often in a row and is asked again in 10 s; at last the provider is overloaded or broken (status 500)',
    });
    expect(server.received).toHaveLength(5);
    now = 10_000;
    expect((await hear(test.model)).events).toEqual([{ kind: 'text', text: 'a' }]);
    expect((await hear(test.model)).events).toEqual([{ kind: 'text', text: 'a' }]);
  });

  it('is waited for until the next probe by a run that has patience', async () => {
    let now = 0;
    const waits: number[] = [];
    const sleep = async (ms: number, signal: AbortSignal) => {
      signal.throwIfAborted();
      waits.push(ms);
      now += ms;
    };
    const broken = refuses({ status: 500, body: '' });
    const well = streams(wire.speak({ text: ['a'] }));
    const fourTimes = [broken, broken, broken, broken];
    const requests = [fourTimes, fourTimes, fourTimes, fourTimes, [broken, well]];
    await using server = await modelServer(...requests.flat());
    const clock = { now: () => new Date(now), sleep };
    using test = await testModel({ wire, url: server.url, clock });
    for (let request = 0; request < 4; request += 1) {
      expect((await hear(test.model)).error).toMatchObject({ reason: 'overloaded' });
    }
    expect(await hear(test.model)).toEqual({
      events: [{ kind: 'text', text: 'a' }],
      error: undefined,
    });
    // The fifth request that fails is one too many: its second attempt finds it paused.
    expect(waits.slice(-5)).toEqual([250, 500, 1000, 250, 9875]);
    expect(server.received).toHaveLength(18);
  });

  it('is not waited for when another can be asked', async () => {
    const clock = {
      now: () => new Date(0),
      sleep: () => Promise.reject(new Error('nobody waits')),
    };
    await using first = await modelServer(refuses({ status: 500, body: '' }));
    await using second = await modelServer(streams(wire.speak({ text: ['b'] })));
    const settings = { ...ONE, failover: [`openai:other@${second.url}/v1`] };
    using test = await testModel({ wire, url: first.url, settings, clock });
    for (let turn = 0; turn < 7; turn += 1) {
      expect((await hear(test.model)).events).toEqual([{ kind: 'text', text: 'b' }]);
    }
    expect(first.received).toHaveLength(5);
  });

  it('is stood in for by the next, also in the middle of an answer', async () => {
    await using second = await modelServer(streams(wire.speak({ text: ['from the second'] })));
    await using first = await modelServer(
      refuses({ status: 401, body: { error: { message: 'no' } } }),
      resets('data: {"choices":[{"delta":{"content":"half"}}]}\n\n'),
    );
    const settings = { ...ONE, failover: [`openai:other@${second.url}/v1`] };
    using test = await testModel({ wire, url: first.url, settings });
    expect((await hear(test.model)).events).toEqual([{ kind: 'text', text: 'from the second' }]);
    expect(second.received[0]?.headers.authorization).toBeUndefined();
    expect(second.received[0]?.body).toMatchObject({ model: 'other' });
    expect(test.logged).toEqual([
      {
        level: 'warn',
        message: 'another model is asked',
        fields: { reason: 'bad-key', next: 'openai:other' },
      },
    ]);
    expect((await hear(test.model)).events).toEqual([{ kind: 'text', text: 'from the second' }]);
    expect(second.received).toHaveLength(2);
  });
});

/** Everything that a logger could ever print of it, causes and hidden fields too. */
function inspectAll(value: unknown): string {
  const seen = new Set<unknown>();
  const visit = (each: unknown): string => {
    if (typeof each !== 'object' || each === null) return String(each);
    if (seen.has(each)) return '';
    seen.add(each);
    const names = Object.getOwnPropertyNames(each);
    return names.map((name) => visit(Reflect.get(each, name))).join('\n');
  };
  return visit(value);
}
