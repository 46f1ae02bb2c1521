import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readKey } from './key-input.ts';

const given = (text: string) => Readable.from([Buffer.from(text)]);

it('a key is read to its end, without the line break after it', async () => {
  expect(await readKey(given('sk-0123456789\n'))).toBe('sk-0123456789');
});

it('more than a key is refused, and not repeated', async () => {
  await expect(readKey(given('x'.repeat(4097)))).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: 'standard input is longer than 4096 bytes',
  });
});

it('a terminal is refused, which would show the key', async () => {
  const terminal = Object.assign(given('sk-0123456789'), { isTTY: true });
  await expect(readKey(terminal)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
