import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { tempHome } from '@palyra/testkit';
import { expect, it } from 'vitest';
import { LocalSecret } from './local-secret.ts';
import { codeOf } from './pairing.fixture.ts';

it('the secret of this machine is 256 bits in a file that only its user can read', async () => {
  await using home = await tempHome();
  const { doorDir } = home.places;
  expect(new LocalSecret(home.places)).toBeDefined();
  expect((await stat(doorDir)).mode & 0o777).toBe(0o700);
  expect((await stat(join(doorDir, 'secret'))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(doorDir, 'secret'), 'utf8')).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

it('the secret of this machine is another one after every start and every use', async () => {
  await using home = await tempHome();
  const read = () => readFile(join(home.places.doorDir, 'secret'), 'utf8');
  expect(new LocalSecret(home.places)).toBeDefined();
  const first = await read();
  const secret = new LocalSecret(home.places);
  const second = await read();
  const { generation } = await secret.current();
  expect(secret.use(generation)).toBe(true);
  const third = await read();
  expect(new Set([first, second, third]).size).toBe(3);
  expect(secret.use(generation)).toBe(false);
  expect(await read()).toBe(third);
});

it('the secret of this machine is not written where others may look', async () => {
  await using home = await tempHome();
  await mkdir(home.places.doorDir, { recursive: true });
  await chmod(home.places.doorDir, 0o755);
  expect(codeOf(() => new LocalSecret(home.places))).toBe('HOME_UNSAFE');
});
