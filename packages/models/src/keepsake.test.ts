import { expect, it } from 'vitest';
import { kept, piecesOf } from './keepsake.ts';

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
