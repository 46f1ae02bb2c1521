import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('one slice is done a turn, however many have something to do, in the order in which they came', async () => {
  let turn = 0;
  const turns = new Turns((next) => {
    setImmediate(() => {
      turn += 1;
      next();
    });
  });
  const slices: [name: string, turn: number][] = [];
  const work = async (name: string) => {
    for (let slice = 0; slice < 2; slice += 1) {
      await turns.next();
      slices.push([name, turn]);
    }
  };
  await Promise.all(['ann', 'bob', 'eve'].map(work));
  const names = ['ann', 'bob', 'eve', 'ann', 'bob', 'eve'];
  expect(slices).toEqual(names.map((name, at) => [name, at + 1]));
  await work('zoe');
  expect(slices.slice(6)).toEqual([
    ['zoe', 7],
    ['zoe', 8],
  ]);
});
