import { expect, it } from 'vitest';
import { Printed, type PrintedCall } from './printed.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const chunk = (text: string) => ({ isErrorOutput: false, bytes: bytes(text) });
const complaint = (text: string) => ({ isErrorOutput: true, bytes: bytes(text) });
const lengthOf = (call: PrintedCall | undefined) =>
  call?.chunks.reduce((sum, each) => sum + each.bytes.length, 0);
const told = (printed: Printed) =>
  printed
    .now()
    .map(({ callId, chunks, leftOutBytes }) => [
      callId,
      chunks.map((each) => new TextDecoder().decode(each.bytes)),
      leftOutBytes,
    ]);

it('what a call printed is remembered until its result is there, both streams in their order', () => {
  const printed = new Printed();
  printed.print('A', chunk('one '));
  printed.print('A', chunk('two'));
  printed.print('A', complaint('oh'));
  printed.print('B', chunk('other'));
  expect(told(printed)).toEqual([
    ['A', ['one two', 'oh'], 0],
    ['B', ['other'], 0],
  ]);
  printed.finish('A');
  expect(told(printed)).toEqual([['B', ['other'], 0]]);
});

it('the end of much output is remembered, and how much was before it', () => {
  const printed = new Printed();
  for (let times = 0; times < 10; times += 1) printed.print('A', chunk('x'.repeat(10_000)));
  printed.print('A', chunk('y'.repeat(100_000)));
  printed.print('A', chunk('z'));
  const [call] = printed.now();
  expect([lengthOf(call), call?.leftOutBytes]).toEqual([65_536, 134_465]);
});

it('calls and turns between the streams are counted too', () => {
  const printed = new Printed();
  for (let times = 0; times < 500; times += 1) {
    printed.print('A', chunk('x'));
    printed.print('A', complaint('y'));
  }
  const [turns] = printed.now();
  expect([turns?.chunks.length, turns?.leftOutBytes]).toEqual([256, 744]);
  for (let call = 0; call < 8; call += 1) printed.print(`B${call}`, chunk('x'));
  expect(printed.now().map(({ callId }) => callId)).not.toContain('A');
});
