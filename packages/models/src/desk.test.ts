import { describe, expect, it } from 'vitest';
import { modelServer, refuses, resets, streams } from './testing/model-server.fixture.ts';
import { HELLO } from './testing/sample-request.fixture.ts';
import { TEST_KEY, hear, testModel } from './testing/test-model.fixture.ts';
import { WIRES } from './testing/wire-answers.fixture.ts';

const { signal } = new AbortController();
const [wire] = Object.values(WIRES);
if (wire === undefined) throw new Error('there is no wire');
const CHAT = wire;

const LISTS: Readonly<Record<string, object>> = {
  'openai chat': { object: 'list', data: [{ id: 'b', object: 'model' }, { id: 'a' }] },
  'openai responses': { object: 'list', data: [{ id: 'b', object: 'model' }, { id: 'a' }] },
  anthropic: { data: [{ id: 'b', type: 'model' }, { id: 'a' }], has_more: false },
  google: {
    models: [
      { name: 'models/b', supportedGenerationMethods: ['generateContent'] },
      { name: 'models/a', supportedGenerationMethods: ['countTokens', 'generateContent'] },
      { name: 'models/embedding', supportedGenerationMethods: ['embedContent'] },
    ],
  },
};

describe.each(Object.entries(WIRES))('the list of a provider that speaks %s', (name, spoken) => {
  it('has the names of its models, and is asked for with the key', async () => {
    await using server = await modelServer(refuses({ status: 200, body: LISTS[name] ?? {} }));
    using test = await testModel({ wire: spoken, url: server.url });
    expect(await test.model.desk.offered(signal)).toEqual(['a', 'b']);
    const [request] = server.received;
    expect(request?.path).toMatch(/\/models(\?|$)/);
    expect(request?.headers[spoken.keyHeader]).toBe(spoken.key(TEST_KEY));
    expect(request?.headers).not.toHaveProperty('content-type');
  });

  it.each([
    ['is wrong', refuses({ status: 401, body: { error: { message: 'no' } } }), 'bad-key'],
    ['is a page', refuses({ status: 200, body: '<html></html>' }), 'not-an-api'],
    ['breaks off', resets(''), 'broken-stream'],
  ])('fails by name when the answer %s', async (_what, answer, reason) => {
    await using server = await modelServer(answer);
    using test = await testModel({ wire: spoken, url: server.url });
    await expect(test.model.desk.offered(signal)).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      reason,
    });
  });
});

const SETTINGS = {
  failover: ['openai:second'],
  choices: ['openai:second', 'openai:third'],
  prices: ['openai:test-model 1.25 10'],
} as const;

describe('what there is to know about models', () => {
  it('is where each is, what for, and where its key comes from, but never the key', async () => {
    await using server = await modelServer();
    using test = await testModel({ wire: CHAT, url: server.url, settings: SETTINGS });
    const place = { provider: 'openai', baseUrl: `${server.url}/v1` } as const;
    const common = { ...place, api: 'chat', isScript: false } as const;
    const key = { keySource: 'the variable TEST_KEY', hasKey: true, breaker: 'closed' } as const;
    expect(test.model.desk.list()).toEqual([
      {
        ...common,
        ...key,
        name: 'openai:test-model',
        isDefault: true,
        isChoice: true,
        failoverRank: 0,
        prices: { input: 1.25, output: 10 },
      },
      {
        ...common,
        ...key,
        name: 'openai:second',
        isDefault: false,
        isChoice: true,
        failoverRank: 1,
      },
      {
        ...common,
        ...key,
        name: 'openai:third',
        isDefault: false,
        isChoice: true,
        failoverRank: 0,
      },
    ]);
    expect(JSON.stringify(test.model.desk.list())).not.toContain(TEST_KEY);
  });

  it('is which API each speaks, of a provider that has several', async () => {
    await using server = await modelServer();
    const settings = { failover: ['openai+responses:test-model', 'anthropic:other#TEST_KEY'] };
    using test = await testModel({ wire: CHAT, url: server.url, settings });
    expect(test.model.desk.list().map(({ name, api }) => [name, api])).toEqual([
      ['openai:test-model', 'chat'],
      ['openai:test-model', 'responses'],
      ['anthropic:other', ''],
    ]);
  });

  it('tells of a breaker that has opened', async () => {
    await using server = await modelServer(resets(''));
    using test = await testModel({ wire: CHAT, url: server.url });
    for (let turn = 0; turn < 5; turn += 1) await hear(test.model);
    expect(test.model.desk.list()[0]?.breaker).toBe('open');
  });
});

describe('a model that is tested', () => {
  it('is asked alone and once, also while its breaker is open', async () => {
    await using server = await modelServer(resets(''));
    using test = await testModel({ wire: CHAT, url: server.url, settings: SETTINGS });
    for (let turn = 0; turn < 5; turn += 1) await hear(test.model);
    const before = server.received.length;
    const asked = Array.fromAsync(test.model.desk.ask('openai:third', HELLO, signal));
    await expect(asked).rejects.toMatchObject({ reason: 'broken-stream' });
    expect(server.received.slice(before).map(({ body }) => body)).toMatchObject([
      { model: 'third' },
    ]);
  });

  it('has to be one of the list', async () => {
    await using server = await modelServer();
    using test = await testModel({ wire: CHAT, url: server.url });
    expect(() => test.model.desk.ask('nobody', HELLO, signal)).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });
});

describe('a model that a run asks for', () => {
  it.each([
    ['', 'openai:test-model'],
    ['openai:test-model', 'openai:test-model'],
    ['openai:third', 'openai:third'],
    ['third', 'openai:third'],
  ])('by %j is %s', async (asked, name) => {
    await using server = await modelServer();
    using test = await testModel({ wire: CHAT, url: server.url, settings: SETTINGS });
    expect(test.model.choose(asked)).toEqual({ kind: 'chosen', name });
  });

  it('answers, and the others stand by', async () => {
    const answer = streams(CHAT.speak({ text: ['a'] }));
    await using server = await modelServer(
      refuses({ status: 401, body: { error: { message: 'no' } } }),
      answer,
    );
    using test = await testModel({ wire: CHAT, url: server.url, settings: SETTINGS });
    await hear(test.model, { ...HELLO, model: 'openai:third' });
    expect(server.received.map(({ body }) => body)).toMatchObject([
      { model: 'third' },
      { model: 'second' },
    ]);
  });

  it('is only the default where no choices are configured', async () => {
    await using server = await modelServer();
    const settings = { failover: ['openai:second'] } as const;
    using test = await testModel({ wire: CHAT, url: server.url, settings });
    expect(test.model.choose('openai:second')).toEqual({
      kind: 'unknown',
      choices: ['openai:test-model'],
    });
  });
});
