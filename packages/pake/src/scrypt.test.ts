import { expect, it } from 'vitest';
import { utf8 } from './bytes.ts';
import { inTurns, scrypt } from './scrypt.ts';

const WANTED = { input: utf8('123456'), salt: utf8('a label'), bytes: 80 };

it('gives a browser, which has none of its own, the same as Node', async () => {
  expect(new Uint8Array(await inTurns(WANTED))).toEqual(new Uint8Array(await scrypt(WANTED)));
});

it('lets other work go on in a browser, too', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  await inTurns(WANTED);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
});
