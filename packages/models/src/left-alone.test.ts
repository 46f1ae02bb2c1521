import { describe, expect, it } from 'vitest';
import { modelServer, refuses, streams } from './testing/model-server.fixture.ts';
import { hear, testModel } from './testing/test-model.fixture.ts';
import { WIRES } from './testing/wire-answers.fixture.ts';

const OTHER = WIRES['openai chat'] ?? raise();
const ANSWER = { kind: 'text', text: 'a' };

function raise(): never {
  throw new Error('there is no wire');
}

function handClock() {
  let nowMs = 0;
  return {
    now: () => new Date(nowMs),
    sleep: () => Promise.reject(new Error('nobody waits')),
    pass: (ms: number) => (nowMs += ms),
  };
}

function busy(status: number, retryAfter: string) {
  const body = { error: { message: 'slow down' } };
  return refuses({ status, body, headers: { 'retry-after': retryAfter } });
}

describe.each(Object.entries(WIRES))(
  'a provider that wants to be left alone: %s',
  (_name, wire) => {
    const well = streams(wire.speak({ text: ['a'] }));

    it.each([429, 503])(
      'with status %i is asked by no other request before its time',
      async (status) => {
        const clock = handClock();
        await using server = await modelServer(busy(status, '90'), well);
        using test = await testModel({ wire, url: server.url, clock });
        await hear(test.model);
        clock.pass(6_000);
        const { error } = await hear(test.model);
        expect(error).toMatchObject({
          code: 'MODEL_FAILED',
          reason: 'left-alone',
          retryAfterMs: 84_000,
          message: expect.stringMatching(
            /^the provider wants to be left alone and is asked again in 84 s; at last .*slow down/,
          ),
          help: 'wait until then, or name other models in `models.failover`',
        });
        expect(server.received).toHaveLength(1);
        expect(test.model.desk.list()).toMatchObject([
          { breaker: 'open', askedAgainAt: new Date(90_000) },
        ]);
        clock.pass(84_000);
        expect((await hear(test.model)).events).toEqual([ANSWER]);
      },
    );

    it('is asked after ten minutes, whatever it says', async () => {
      const clock = handClock();
      await using server = await modelServer(busy(429, '86400'), well);
      using test = await testModel({ wire, url: server.url, clock });
      await hear(test.model);
      clock.pass(500_000);
      expect((await hear(test.model)).error).toMatchObject({ reason: 'left-alone' });
      clock.pass(100_000);
      expect((await hear(test.model)).events).toEqual([ANSWER]);
    });

    it('is stood in for by the next without being asked', async () => {
      await using first = await modelServer(busy(429, '90'));
      await using second = await modelServer(streams(OTHER.speak({ text: ['b'] })));
      const settings = { failover: [`openai+chat:other@${second.url}/v1`] };
      using test = await testModel({ wire, url: first.url, settings, clock: handClock() });
      for (let turn = 0; turn < 3; turn += 1) {
        expect((await hear(test.model)).events).toEqual([{ kind: 'text', text: 'b' }]);
      }
      expect(first.received).toHaveLength(1);
      expect(second.received).toHaveLength(3);
    });

    it('is waited for by another request that has the patience', async () => {
      await using server = await modelServer(busy(429, '7'), well);
      const settings = { retry_wait_ms: 8_000, attempts: 1 };
      using test = await testModel({ wire, url: server.url, settings });
      expect((await hear(test.model)).error).toMatchObject({ reason: 'rate-limited' });
      // It was not asked the first time, so its one attempt is still to come.
      expect((await hear(test.model)).events).toEqual([ANSWER]);
      expect(test.waits).toHaveLength(1);
    });
  },
);
