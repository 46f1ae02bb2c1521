import { expect, it } from 'vitest';
import { tryTwice } from './try-twice.ts';

/** Fails so often, and then no more. */
function failing(times: number) {
  let made = 0;
  const trial = async () => {
    made += 1;
    if (made <= times) throw new Error(`failed ${made}`);
  };
  return { trial, made: () => made };
}

it.each([
  [0, 1],
  [1, 2],
])('a trial that fails %i times is made %i times, and has succeeded', async (times, tries) => {
  const { trial, made } = failing(times);
  await tryTwice(trial);
  expect(made()).toBe(tries);
});

it('a trial that fails again has failed', async () => {
  const { trial, made } = failing(2);
  await expect(tryTwice(trial)).rejects.toThrow('failed 2');
  expect(made()).toBe(2);
});
