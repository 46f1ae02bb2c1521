import { describe, expect, it } from 'vitest';
import { treeFrom } from '../tree.ts';
import { GLOBALS, checkGlobals } from './check-globals.ts';
import { smallRepository } from './small-repository.fixture.ts';

const FILE = 'packages/journal/src/journal.ts';
const ALLOWED = GLOBALS.map((each) => ({
  ...each,
  allowedIn: each.name === 'the time' ? ['packages/kernel/src/clock.ts'] : [],
}));

describe('checkGlobals', () => {
  it('likes time in the clock, in tests and in words', () => {
    expect(complaintsAbout("const text = 'Date.now()'; // Math.random()\n")).toEqual([]);
  });

  it.each([
    ['const home = process.env.HOME;', 'process.env'],
    ['const { env } = process;', 'process.env'],
    ['const now = Date.now();', 'the time'],
    ['const now = new Date();', 'the time'],
    ['const text = `${Date.now()}`;', 'the time'],
    ['const luck = Math.random();', 'Math.random'],
    ['console.log(1);', 'console'],
    ['let counter = 0;', 'a module-level `let`'],
    ['export let counter = 0;', 'a module-level `let`'],
  ])('refuses %j', (source, name) => {
    expect(complaintsAbout(source)).toEqual([`${FILE}: uses ${name}, which lives elsewhere`]);
  });

  it.each([
    ["import { env } from 'node:process';"],
    ['// oxlint-disable-next-line no-console'],
    ['/* eslint-disable */'],
    ['// @ts-expect-error'],
  ])('refuses %j', (source) => {
    expect(complaintsAbout(source)).toHaveLength(1);
  });

  it('lets a date be made from a number and a variable change inside a function', () => {
    expect(
      complaintsAbout(
        "function f() {\n  let a = new Date(0);\n  return new Date('2030-01-01');\n}\n",
      ),
    ).toEqual([]);
  });

  it('refuses an allowance that nobody uses', () => {
    const tree = treeFrom(smallRepository({ 'packages/kernel/src/clock.ts': '' }));
    expect(checkGlobals(tree, ALLOWED)).toEqual([
      {
        path: 'packages/kernel/src/clock.ts',
        says: 'may use the time and does not; take the allowance away',
      },
    ]);
  });
});

function complaintsAbout(source: string): string[] {
  const tree = treeFrom(smallRepository({ [FILE]: source }));
  return checkGlobals(tree, ALLOWED).map(({ path, says }) => `${path}: ${says}`);
}
