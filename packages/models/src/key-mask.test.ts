import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelFailure } from './failure.ts';
import { KeyMask } from './key-mask.ts';
import type { SaidEvent } from './model-port.ts';
import { modelServer, streams } from './testing/model-server.fixture.ts';
import { HELLO } from './testing/sample-request.fixture.ts';
import { data } from './testing/speech.fixture.ts';
import { TEST_KEY, hear, hearTurn, testModel } from './testing/test-model.fixture.ts';
import { WIRES } from './testing/wire-answers.fixture.ts';

const KEY = 'sk-"a/b+c\\0123456789';

function text(...pieces: readonly string[]): string {
  const mask = new KeyMask(KEY);
  const events = pieces.flatMap((piece) => mask.event({ kind: 'text', text: piece }));
  return textOf([...events, ...mask.rest()]);
}

function textOf(events: readonly SaidEvent[]): string {
  return events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
}

describe('a key in what a server says', () => {
  it('is taken out wherever pieces are cut', () => {
    const whole = `a ${KEY}${KEY} sk-"a sk-"${KEY} z`;
    const clean = whole.replaceAll(KEY, '[redacted]');
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 6 }), (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
        const pieces = places.slice(1).map((end, place) => whole.slice(places[place], end));
        expect(text(...pieces)).toBe(clean);
      }),
    );
  });

  it('is taken out, too, when the text ends before it does', () => {
    expect(text('it is ', KEY.slice(0, -1))).toBe('it is [redacted]');
    expect(text('they begin with sk-')).toBe('they begin with sk-');
  });

  it('holds nothing back that cannot be a beginning of it', () => {
    const mask = new KeyMask(KEY);
    expect(mask.event({ kind: 'text', text: 'hello' })).toEqual([{ kind: 'text', text: 'hello' }]);
    expect(mask.event({ kind: 'text', text: 's' })).toEqual([]);
    expect(mask.event({ kind: 'reasoning', text: 'k-' })).toEqual([
      { kind: 'reasoning', text: 'k-' },
    ]);
    expect(mask.rest()).toEqual([{ kind: 'text', text: 's' }]);
  });

  it.each([
    ['as it is', JSON.stringify({ a: KEY })],
    ['with slashes escaped', JSON.stringify({ a: KEY }).replaceAll('/', '\\/')],
    ['with other characters escaped', JSON.stringify({ a: KEY }).replaceAll('+', '\\u002B')],
  ])('is taken out of arguments: %s', (_how, argumentsJson) => {
    expect(JSON.parse(argumentsJson)).toEqual({ a: KEY });
    const call = { kind: 'tool-call', tool: `x${KEY}`, argumentsJson } as const;
    expect(new KeyMask(KEY).event(call)).toEqual([
      { kind: 'tool-call', tool: 'x[redacted]', argumentsJson: '{"a":"[redacted]"}' },
    ]);
  });

  it('makes a keepsake one that is not kept', () => {
    const keepsake = (thought: string) =>
      ({ kind: 'keepsake', keepsake: { from: 'm', items: [{ own: { thought } }] } }) as const;
    expect(new KeyMask(KEY).event(keepsake(`so ${KEY}`))).toEqual([]);
    expect(new KeyMask(KEY).event(keepsake('so'))).toEqual([keepsake('so')]);
  });

  it('is taken out of failures, whose reason and wait stay', () => {
    const failure = new ModelFailure('overloaded', `bad ${KEY}`, { retryAfterMs: 7 });
    expect(new KeyMask(KEY).failure(failure)).toMatchObject({
      reason: 'overloaded',
      message: 'bad [redacted]',
      retryAfterMs: 7,
    });
  });

  it('is not looked for when it is shorter than eight characters', () => {
    const said = { kind: 'text', text: 'a secret1' } as const;
    expect(new KeyMask('secret1').event(said)).toEqual([said]);
    expect(new KeyMask('').event(said)).toEqual([said]);
  });
});

describe.each(Object.entries(WIRES))('a server that echoes its key: %s', (_name, wire) => {
  it('is not repeated', async () => {
    const halves = [TEST_KEY.slice(0, 9), TEST_KEY.slice(9)];
    const speech = {
      reasoning: ['key ', ...halves, '!'],
      text: ['your key is ', ...halves, '.'],
      calls: [{ name: TEST_KEY, args: { [TEST_KEY]: `Bearer ${TEST_KEY}` } }],
    };
    await using server = await modelServer(streams(wire.speak(speech)));
    using test = await testModel({ wire, url: server.url });
    const heard = await hearTurn(test.model, HELLO);
    expect(heard.error).toBeUndefined();
    expect(textOf(heard.events)).toBe('your key is [redacted].');
    expect(heard.events.some(({ kind }) => kind === 'tool-call')).toBe(true);
    expect(JSON.stringify(heard)).not.toContain(TEST_KEY);
    expect(JSON.stringify(heard)).not.toContain(halves[1]);
  });

  it('is not repeated in its failure either', async () => {
    const error = wire.errorInStream.replace('upstream is gone', `no ${TEST_KEY}`);
    await using server = await modelServer(streams(error + data({})));
    using test = await testModel({ wire, url: server.url, settings: { attempts: 1 } });
    const heard = await hear(test.model);
    expect(String(heard.error)).toContain('no [redacted]');
  });
});
