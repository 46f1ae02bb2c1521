import { expect, it } from 'vitest';
import { kept, keepsakeOf, piecesOf, withOwnKeepsakes } from './keepsake.ts';

const CALL = { callId: 'c1', tool: 'fs.read', argumentsJson: '{}' };
const ITEMS = [kept.own({ a: 1 }), kept.text('he'), kept.call({ b: 2 }), kept.text('llo')];

function turn(text: string, calls: readonly (typeof CALL)[]) {
  const keepsake = { from: 'm', items: ITEMS };
  return { role: 'model', text, toolCalls: calls, keepsake } as const;
}

it('a turn is told piece by piece as it was said', () => {
  expect(piecesOf(turn('hello', [CALL]))).toEqual([
    { kind: 'own', item: { a: 1 } },
    { kind: 'text', text: 'he', extra: {} },
    { kind: 'call', call: CALL, extra: { b: 2 } },
    { kind: 'text', text: 'llo', extra: {} },
  ]);
});

it.each([
  ['other words', turn('hell', [CALL])],
  ['a call less', turn('hello', [])],
  ['a call more', turn('hello', [CALL, CALL])],
])('a keepsake does not count for a turn with %s', (_what, changed) => {
  expect(piecesOf(changed)).toBeUndefined();
});

it('a keepsake is given back to the same model in the same place and API alone', () => {
  const baseUrl = new URL('http://127.0.0.1:1/v1');
  const speaker = { name: 'openai:m', api: 'responses', baseUrl };
  const [said] = keepsakeOf(ITEMS, speaker);
  if (said?.kind !== 'keepsake') throw new Error('it was not kept');
  const told = [{ ...turn('hello', [CALL]), keepsake: said.keepsake }];
  expect(withOwnKeepsakes(told, speaker)).toEqual(told);
  for (const other of [
    { name: 'openai:n' },
    { api: 'chat' },
    { baseUrl: new URL('http://[::1]') },
  ]) {
    expect(withOwnKeepsakes(told, { ...speaker, ...other })).not.toHaveProperty('0.keepsake');
  }
});
