import { readFile } from 'node:fs/promises';
import { tempHome } from '@palyra/testkit';
import { expect, it } from 'vitest';
import { type Wish, setModel } from './models.ts';

async function setUp() {
  const home = await tempHome();
  const { places } = home;
  const ask = (wish: Wish, environment: Record<string, string> = {}) =>
    setModel(wish, { environment, places, workspaceDir: '/nonexistent' }, {}).fields;
  return { ask, places, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
}

it('a stronger layer that says something else is told of', async () => {
  await using home = await setUp();
  const wish = { provider: 'anthropic', model: 'a' } as const;
  expect(home.ask(wish)).toMatchObject({ holds: true });
  expect(home.ask(wish, { PALYRA_MODELS_PROVIDER: 'google' })).toMatchObject({ holds: false });
});

it('a key that is stored stays in use while the place stays the same', async () => {
  await using home = await setUp();
  home.ask({ provider: 'anthropic', model: 'a', key: 'sk-1' });
  const file = `${home.places.configDir}/model-key-anthropic`;
  expect(home.ask({ provider: 'anthropic', model: 'b' })).toMatchObject({
    name: 'anthropic:b',
    keySource: `the file ${file}`,
    hasKey: true,
  });
  expect(home.ask({ provider: 'openai', model: 'b' })).toMatchObject({
    keySource: 'the variable OPENAI_API_KEY',
    hasKey: false,
  });
});

it('a wish that is refused leaves the key that is in use alone', async () => {
  await using home = await setUp();
  home.ask({ provider: 'anthropic', model: 'a', key: 'sk-1' });
  const bad = { provider: 'anthropic', model: 'a', baseUrl: 'nowhere', key: 'sk-2' } as const;
  expect(() => home.ask(bad)).toThrow('is no base URL');
  const file = `${home.places.configDir}/model-key-anthropic`;
  expect(await readFile(file, 'utf8')).toBe('sk-1\n');
});
