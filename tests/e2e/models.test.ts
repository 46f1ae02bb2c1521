import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { tempHome, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { cli } from '../../apps/palyra-cli/testing/cli.ts';
import { Daemon, environment, palyra } from './harness.ts';
import { modelProvider } from './model-provider.ts';

const KEY = 'test-key-that-nobody-may-ever-see-0123456789';
const set = (home: string, words: readonly string[], input = '') =>
  cli(['models', 'set', ...words], { environment: environment(home), input });

describe('a model that is set up from the command line', () => {
  it(
    'answers from the next start on, and its key is in one file of its owner',
    verifies('models:key-stays-private'),
    async () => {
      await using server = await modelProvider('ready');
      await using home = await tempHome();
      const ended = await set(
        home.path,
        ['openai', 'test-model', '--base-url', server.url, '--key-stdin'],
        KEY,
      );
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      const file = join(home.path, 'config/model-key-openai');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const toml = await readFile(join(home.path, 'config/palyra.toml'), 'utf8');
      expect(toml).toContain('model = "test-model"');
      expect(`${toml}${ended.stdout}`).not.toContain(KEY);

      await using daemon = await new Daemon(home.path, home.path).ready();
      const list = await palyra(home.path, 'models', 'list', '--offered', '--json');
      expect(JSON.parse(list.stdout)).toMatchObject({
        kind: 'models',
        models: [{ name: 'openai:test-model', isDefault: true, hasKey: true, breaker: 'closed' }],
        offered: ['other', 'test-model'],
      });
      const tested = await palyra(home.path, 'models', 'test');
      expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining('ready') });
      expect((await palyra(home.path, 'status')).stdout).toContain('openai:test-model');
      expect((await palyra(home.path, 'run', 'hello')).stdout).toContain('ready');

      expect(server.asked.at(-1)?.authorization).toBe(`Bearer ${KEY}`);
      expect(`${list.stdout}${tested.stdout}${daemon.log}`).not.toContain(KEY);
    },
  );

  it(
    'is the only one that a run may ask for, unless there are choices',
    verifies('models:only-offered'),
    async () => {
      await using server = await modelProvider('ready');
      await using home = await tempHome();
      await set(home.path, ['openai', 'test-model', '--base-url', server.url]);
      await using _daemon = await new Daemon(home.path, home.path).ready();
      const refused = await palyra(home.path, 'run', '--model', 'other', 'hello');
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('there is no model `other` to choose');
      expect(refused.stderr).toContain('`openai:test-model`');
    },
  );

  it(
    'that does not answer fails the test of it with its reason',
    verifies('models:test-asks'),
    async () => {
      await using server = await modelProvider(undefined);
      await using home = await tempHome();
      await set(home.path, ['openai', 'test-model', '--base-url', server.url]);
      await using _daemon = await new Daemon(home.path, home.path).ready();
      const tested = await palyra(home.path, 'models', 'test', '--json');
      expect(tested.code).toBe(1);
      expect(JSON.parse(tested.stdout)).toMatchObject({
        tested: { name: 'openai:test-model', error: { message: expect.stringContaining('key') } },
      });
      expect(server.asked).toHaveLength(1);
    },
  );
});

describe('a wish that cannot be', () => {
  it.each([
    ['without a model', ['openai'], 2],
    ['with a base URL that is none', ['openai', 'a', '--base-url', 'nowhere'], 6],
    ['with a key file that is not there', ['openai', 'a', '--key-file', '/no/such/key'], 6],
    ['with two keys', ['openai', 'a', '--key-env', 'A', '--key-stdin'], 2],
    ['with an api that nobody speaks', ['openai', 'a', '--api', 'soap'], 2],
    ['for a script with a model', ['script', 'a'], 2],
    ['with a key that is none', ['openai', 'a', '--key-stdin'], 6],
  ])(
    '%s is refused, and nothing is written',
    verifies('models:set-is-whole'),
    async (_what, words, code) => {
      await using home = await tempHome();
      const ended = await set(home.path, words, 'no key\n');
      expect(ended.code).toBe(code);
      await expect(stat(join(home.path, 'config/palyra.toml'))).rejects.toThrow('ENOENT');
    },
  );
});

describe('going back', () => {
  it(
    'to the script leaves what was set for the next time',
    verifies('models:set-is-whole'),
    async () => {
      await using home = await tempHome();
      await set(home.path, ['anthropic', 'claude-opus-5']);
      const back = await set(home.path, ['script', '--json']);
      expect(JSON.parse(back.stdout)).toMatchObject({
        kind: 'model.set',
        name: 'script',
        holds: true,
      });
      const toml = await readFile(join(home.path, 'config/palyra.toml'), 'utf8');
      expect(toml).toMatch(/provider = "script"/);
      expect(toml).toMatch(/model = "claude-opus-5"/);
    },
  );
});
