import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { writeValue } from './value-text.ts';

it.each([
  ['a "quoted" \u007F text\n', String.raw`"a \"quoted\" \u007F text\n"`],
  [7, '7'],
  [true, 'true'],
  [['a', 'b'], '["a", "b"]'],
  [{ a: 1, 'b c': ['x'] }, '{ a = 1, "b c" = ["x"] }'],
  [{}, '{}'],
])('%j is written as a file has it', (value, written) => {
  expect(writeValue(value)).toBe(written);
  expect(parse(`v = ${written}`)).toEqual({ v: value });
});
