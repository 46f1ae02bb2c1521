import { describe, expect, it } from 'vitest';
import {
  type Answer,
  modelServer,
  refuses,
  resets,
  stalls,
  streams,
} from './testing/model-server.fixture.ts';
import { HELLO } from './testing/sample-request.fixture.ts';
import { testModel } from './testing/test-model.fixture.ts';
import { WIRES } from './testing/wire-answers.fixture.ts';

const never = new AbortController().signal;
const SHORT = { attempts: 1, first_byte_timeout_ms: 100, idle_timeout_ms: 100 } as const;

describe.each(Object.entries(WIRES))('a turn that fails: %s', (_name, wire) => {
  const eventsAfter = async (...answers: readonly Answer[]) => {
    await using server = await modelServer(...answers);
    const settings = { ...SHORT, attempts: answers.length };
    using test = await testModel({ wire, url: server.url, settings });
    const kinds: string[] = [];
    const listen = async () => {
      for await (const { kind } of test.model.reply(HELLO, never)) kinds.push(kind);
    };
    await expect(listen()).rejects.toMatchObject({ code: 'MODEL_FAILED' });
    return kinds;
  };
  const refusal = (status: number) => refuses({ status, body: '{"error":{"message":"no"}}' });

  it.each([401, 404, 429, 500])('with status %i and not a word took nothing', async (status) => {
    expect(await eventsAfter(refusal(status))).toEqual(['nothing-used']);
  });

  it('with an error in place of its first word took nothing', async () => {
    expect(await eventsAfter(streams(wire.errorInStream))).toEqual(['nothing-used']);
  });

  it('in the middle of a call took what came of it, and what was counted', async () => {
    const call = { name: 'fs_read', args: { path: 'x'.repeat(2000) } };
    const speech = wire.speak({ calls: [call], usage: { input: 100, output: 20, cached: 0 } });
    const cut = speech.slice(0, speech.indexOf('x'.repeat(1000)) + 1000);
    expect(await eventsAfter(resets(cut))).not.toContain('nothing-used');
    const counted = await eventsAfter(streams(`${speech}${wire.errorInStream}`));
    expect(counted).toContain('lost');
    expect(counted).toContain('usage');
    expect(counted).not.toContain('nothing-used');
    expect(counted).not.toContain('tool-call');
  });

  it('says so of each attempt that did', async () => {
    const kinds = await eventsAfter(refusal(500), stalls(''));
    expect(kinds).toEqual(['nothing-used', 'asked-again']);
  });

  it('after a word, or by silence, may have taken something', async () => {
    const speech = wire.speak({ text: ['well', ' then'] });
    expect(await eventsAfter(stalls(''))).toEqual([]);
    expect(await eventsAfter(resets(speech.slice(0, speech.indexOf(' then'))))).not.toContain(
      'nothing-used',
    );
  });
});

it('a turn that nobody was reached for took nothing', async () => {
  const [wire] = Object.values(WIRES);
  if (wire === undefined) throw new Error('there is no wire');
  const { url } = await (async () => {
    await using server = await modelServer();
    return server;
  })();
  using test = await testModel({ wire, url, settings: SHORT });
  const kinds: string[] = [];
  await expect(
    (async () => {
      for await (const { kind } of test.model.reply(HELLO, never)) kinds.push(kind);
    })(),
  ).rejects.toMatchObject({ reason: 'unreachable' });
  expect(kinds).toEqual(['nothing-used']);
});
