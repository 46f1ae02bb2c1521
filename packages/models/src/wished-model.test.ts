import { readFile, stat } from 'node:fs/promises';
import { tempHome } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { modelsSection } from './models-section.ts';
import { checkModel, editsFor, storeKey, storedKeyFile } from './wished-model.ts';

const NOWHERE = { environment: {}, workspaces: [], own: [] };
const NOW = modelsSection.parse({
  provider: 'openai',
  model: 'a',
  base_url: 'http://127.0.0.1:1/v1',
  key_env: 'A',
  api: 'responses',
});

describe('a wish for a model', () => {
  it('leaves no address and no key of another provider behind', () => {
    expect(editsFor({ provider: 'anthropic', model: 'b' }, NOW)).toEqual({
      provider: 'anthropic',
      model: 'b',
      base_url: '',
      api: 'chat',
      key_env: '',
      key_file: '',
    });
  });

  it('keeps the key of the same place, and only of the same place', () => {
    const same = { provider: 'openai', model: 'b', baseUrl: 'http://127.0.0.1:1/v1' } as const;
    expect(editsFor(same, NOW)).toMatchObject({ key_env: 'A', key_file: '' });
    expect(editsFor({ ...same, keyFile: '/k' }, NOW)).toMatchObject({
      key_env: '',
      key_file: '/k',
    });
    expect(editsFor({ ...same, baseUrl: 'http://127.0.0.1:2/v1' }, NOW).key_env).toBe('');
  });

  it('for the script leaves the rest as it is', () => {
    expect(editsFor({ provider: 'script' }, NOW)).toEqual({ provider: 'script' });
  });

  it('is checked before it counts', () => {
    expect(checkModel(NOW, NOWHERE)).toEqual({
      name: 'openai:a',
      keySource: 'the variable A',
      hasKey: false,
    });
    expect(() => checkModel({ ...NOW, model: '' }, NOWHERE)).toThrow('`models.model` is empty');
    expect(() => checkModel({ ...NOW, base_url: 'nowhere' }, NOWHERE)).toThrow('is no base URL');
    for (const model of ['a\nb', 'a\u0000', '\u202Ea', ' a', 'a\u2028b']) {
      expect(() => checkModel({ ...NOW, model }, NOWHERE)).toThrow('that nobody can see');
      expect(modelsSection.safeParse({ model }).success).toBe(false);
    }
    expect(checkModel({ ...NOW, model: 'my model ü' }, NOWHERE).name).toBe('openai:my model ü');
    expect(() => checkModel({ ...NOW, key_env: '', key_file: '/no/such' }, NOWHERE)).toThrow(
      'does not exist',
    );
  });
});

it.each([
  'http://ada:hunter2hunter2@127.0.0.1/v1',
  'http://ada:hunter2/hunter2@127.0.0.1/v1',
  'https://a.example/v1?x=hunter2hunter2',
  'https://a.example/v1#hunter2hunter2',
  'ada:hunter2@a.example',
])('a wish for the address %s is refused in words that do not hold it', (base_url) => {
  const refusal = () => checkModel({ ...NOW, base_url }, NOWHERE);
  expect(refusal).toThrow('the address of the model is no base URL');
  expect(refusal).not.toThrow(/hunter2/);
});

describe('a wish for a model on another machine', () => {
  const far = { ...NOW, base_url: 'http://models.example/v1' };

  it('is refused without encryption, as it would be when it is asked', () => {
    expect(() => checkModel(far, NOWHERE)).toThrow('without encryption');
  });

  it('is taken with encryption, or where plain text is allowed anywhere', () => {
    const safe = { ...far, base_url: 'https://models.example/v1' };
    expect(checkModel(safe, NOWHERE).name).toBe('openai:a');
    expect(checkModel({ ...far, plain_text: 'anywhere' }, NOWHERE).name).toBe('openai:a');
  });
});

describe('a key that comes with a wish', () => {
  it('is kept in a file that only its owner can use', async () => {
    await using home = await tempHome();
    const path = storedKeyFile(home.path, 'openai');
    storeKey(path, 'sk-0123456789\n');
    expect(await readFile(path, 'utf8')).toBe('sk-0123456789\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const settings = { ...NOW, key_env: '', key_file: path };
    expect(checkModel(settings, NOWHERE).hasKey).toBe(true);
  });

  it('is refused without being repeated when it is none', async () => {
    await using home = await tempHome();
    const path = storedKeyFile(home.path, 'openai');
    expect(() => storeKey(path, 'two secret\nlines')).toThrow(
      'what standard input holds is not a key',
    );
  });
});
