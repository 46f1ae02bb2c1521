import { expect, it } from 'vitest';
import { ChatThoughts } from './thoughts.ts';

function keepsakeOf(...deltas: readonly object[]) {
  const thoughts = new ChatThoughts();
  const said = deltas.map((delta) => thoughts.read(delta)).join('');
  return { said, keepsake: thoughts.keepsake() };
}

it('a thought goes back under the name it came by', () => {
  expect(keepsakeOf({ reasoning: 'a' }, { reasoning: 'b' })).toEqual({
    said: 'ab',
    keepsake: [{ reasoning: 'ab' }],
  });
});

it('pieces of a signed thought are joined, and the next one is another', () => {
  const text = (index: number, fields: object) => ({
    reasoning_details: [{ type: 'reasoning.text', index, ...fields }],
  });
  const { keepsake } = keepsakeOf(
    { reasoning: 'a', ...text(0, { text: 'a', signature: null }) },
    text(0, { text: 'b', signature: 'c2ln' }),
    text(1, { text: 'c' }),
  );
  expect(keepsake).toEqual([
    {
      reasoning_details: [
        { type: 'reasoning.text', index: 0, text: 'ab', signature: 'c2ln' },
        { type: 'reasoning.text', index: 1, text: 'c' },
      ],
    },
  ]);
});

it.each([[{}], [null], [{ reasoning_details: ['a', 1] }], [{ reasoning: '' }]])(
  'there is nothing to give back after %j',
  (delta) => {
    const thoughts = new ChatThoughts();
    thoughts.read(delta);
    expect(thoughts.keepsake()).toBeUndefined();
  },
);

it('more pieces than there may be are not kept', () => {
  const many = Array.from({ length: 2000 }, (_, index) => ({ type: 'reasoning.text', index }));
  expect(keepsakeOf({ reasoning_details: many }).keepsake).toBeUndefined();
});
