import { expect, it } from 'vitest';
import { textPage } from './text-page.ts';

const bytes = new TextEncoder().encode('aé€😀b');

it('pages of any length tell every character once', () => {
  for (let length = 5; length <= bytes.length; length += 1) {
    let [at, told] = [0, ''];
    while (at < bytes.length) {
      const page = textPage(bytes.subarray(at, at + length));
      told += page.text;
      at += page.length;
    }
    expect(told).toBe('aé€😀b');
  }
});

it('bytes that are no text are all taken', () => {
  expect(textPage(Uint8Array.of(0x80, 0x80, 0x80, 0x80))).toMatchObject({ length: 4 });
  expect(textPage(Uint8Array.of(0xff))).toMatchObject({ length: 1 });
  expect(textPage(new Uint8Array())).toEqual({ text: '', length: 0 });
});
