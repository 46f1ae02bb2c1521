import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type TempHome, tempHome, testGateway, verifies } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureJson } from './answer.ts';
import { answer } from './commands.ts';

let home: TempHome;
beforeEach(async () => {
  home = await tempHome();
});
afterEach(() => home[Symbol.asyncDispose]());

const ask = (...words: readonly string[]) =>
  answer(words, {}, { environment: {}, places: home.places, workspaceDir: home.path });

async function writeConfig(content: string): Promise<void> {
  await mkdir(home.places.configDir, { mode: 0o700 });
  await writeFile(home.places.configFile, content, { mode: 0o600 });
}

describe('palyrad config', () => {
  it('sets, gets and explains a setting', async () => {
    const set = await ask('config', 'set', 'transport.drain_ms', '500');
    const get = await ask('config', 'get', 'transport.drain_ms');
    const explain = await ask('config', 'explain', 'transport.drain_ms');
    expect(set).toMatchObject({ exit: 0, fields: { value: 500, file: home.places.configFile } });
    expect(get).toMatchObject({ exit: 0, fields: { value: 500, origin: { kind: 'user' } } });
    expect(explain).toMatchObject({ exit: 0, fields: { value: 500, default: 10_000 } });
  });

  it.each([
    { key: 'deployment.profile', value: 'worker-enabled', code: 'NOT_BUILT' },
    { key: 'transport.console', value: 'localhost:7443', code: 'CONFIG_CONTRADICTION' },
  ])('sets $key only to what a daemon starts with', async ({ key, value, code }) => {
    await writeConfig('# mine\n');
    await expect(ask('config', 'set', key, value)).rejects.toMatchObject({ code });
    expect(await readFile(home.places.configFile, 'utf8')).toBe('# mine\n');
  });

  it('sets one key of a bad file and tells what is still wrong with it', async () => {
    await writeConfig('[log]\nlevel = 3\n[transport]\ndrain_ms = "soon"\n');
    expect(await ask('config', 'set', 'transport.drain_ms', '500')).toMatchObject({
      exit: 0,
      fields: { value: 500, problems: [{ key: 'log.level' }] },
    });
  });

  it('explains a setting that is refused, and ends as what is refused', async () => {
    await writeConfig('[transport]\ndrain_ms = "soon"\n');
    expect(await ask('config', 'explain', 'transport.drain_ms')).toMatchObject({
      exit: 6,
      fields: {
        takes: expect.stringContaining('a whole number'),
        problems: [{ key: 'transport.drain_ms', origin: { kind: 'user', line: 2 } }],
      },
    });
  });

  it('shows and validates every section', async () => {
    const { fields } = await ask('config', 'show');
    const shown = JSON.stringify(fields);
    for (const section of ['deployment', 'journal', 'log', 'models', 'runs', 'transport']) {
      expect(shown).toContain(`"key":"${section}.`);
    }
    expect(await ask('config', 'validate')).toMatchObject({ fields: { verdict: 'valid' } });
  });

  it('lists every problem of a bad file', async () => {
    await writeConfig('[log]\nlevel = 3\nlvel = "x"\n');
    const failure = await ask('config', 'validate').catch((reason: unknown) => reason);
    expect(JSON.parse(failureJson(failure))).toMatchObject({
      format: 'palyra.cli.v1',
      error: { problems: [{ key: 'log.level' }, { key: 'log.lvel' }] },
    });
  });

  it(
    'refuses settings that contradict one another, with both keys and where they come from',
    verifies('config:contradictions-are-refused'),
    async () => {
      await writeConfig('[transport]\nconsole = "localhost:7443"\n');
      const failure = await ask('config', 'validate').catch((reason: unknown) => reason);
      expect(failure).toMatchObject({
        code: 'CONFIG_CONTRADICTION',
        problems: [{ key: 'transport.listen', message: expect.stringContaining('palyra.toml') }],
      });
    },
  );

  it.each([
    { key: 'base_url', value: '"http://10.0.0.5/v1"' },
    { key: 'failover', value: '["openai:a@http://10.0.0.5/v1"]' },
    { key: 'choices', value: '["openai:a@https://b.example", "openai:c@http://d.example"]' },
  ])(
    'refuses a model of another machine without encryption in models.$key',
    async ({ key, value }) => {
      await writeConfig(`[models]\n${key} = ${value}\n`);
      const place = `${home.places.configFile}:2`;
      await expect(ask('config', 'validate')).rejects.toMatchObject({
        code: 'CONFIG_CONTRADICTION',
        message: `a model on another machine may not be spoken to without encryption (\`models.${key}\` from ${place}, \`models.plain_text\` from the built-in default)`,
        help: `use \`https\` in \`models.${key}\`, or set \`models.plain_text\` to \`anywhere\``,
      });
      await ask('config', 'set', 'models.plain_text', 'anywhere');
      expect(await ask('config', 'validate')).toMatchObject({ fields: { verdict: 'valid' } });
    },
  );

  it.each(['http://127.0.0.1:11434/v1', 'http://localhost/v1', 'https://models.example'])(
    'takes a model at %s',
    async (url) => {
      await writeConfig(`[models]\nbase_url = "${url}"\nfailover = ["openai:a@${url}"]\n`);
      expect(await ask('config', 'validate')).toMatchObject({ fields: { verdict: 'valid' } });
    },
  );

  it('calls no profile valid with which no daemon starts, and names the line', async () => {
    await writeConfig('[deployment]\nprofile = "worker-enabled"\n');
    const failure = await ask('config', 'validate').catch((reason: unknown) => reason);
    expect(failure).toMatchObject({
      code: 'NOT_BUILT',
      problems: [{ key: 'deployment.profile', message: expect.stringContaining('palyra.toml:2') }],
    });
  });

  it.each(['127.0.0.1:7443', '[::1]:7443', '0.0.0.0:7443', 'palyra.example:1'])(
    'lets devices connect to %s, which is always TLS',
    async (listen) => {
      await writeConfig(`[transport]\nlisten = "${listen}"\n`);
      expect(await ask('config', 'validate')).toMatchObject({ fields: { verdict: 'valid' } });
    },
  );

  it.each(['[::]:7142', '10.0.0.1:7142', '[::ffff:10.0.0.1]:1', 'palyra.example:1'])(
    'refuses a console on %s, which others could reach without TLS',
    async (console) => {
      await writeConfig(`[transport]\nconsole = "${console}"\n`);
      await expect(ask('config', 'validate')).rejects.toMatchObject({
        problems: [{ key: 'transport.console', message: expect.stringContaining('palyra.toml') }],
      });
    },
  );

  it(
    'lets a workspace narrow what a run may use, and nothing else',
    verifies('config:workspace-only-narrows'),
    async () => {
      const workspace = `${home.path}/palyra.toml`;
      await writeFile(workspace, '[runs]\nmax_turns = 5\n');
      expect(await ask('config', 'get', 'runs.max_turns')).toMatchObject({
        fields: { value: 5, origin: { kind: 'workspace' } },
      });
      for (const widening of ['[runs]\nmax_turns = 500\n', '[models]\nscript = "/x"\n']) {
        await writeFile(workspace, widening);
        await expect(ask('config', 'validate')).rejects.toMatchObject({ code: 'CONFIG_WIDENED' });
      }
    },
  );

  it('refuses a key that does not exist, and words that are missing or too many', async () => {
    await expect(ask('config', 'get', 'transport.drain')).rejects.toMatchObject({
      code: 'CONFIG_UNKNOWN_KEY',
    });
    for (const words of [['get'], ['set', 'a'], ['show', 'all'], ['forget']]) {
      await expect(ask('config', ...words)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });
});

describe('palyrad journal verify', () => {
  it('says how to get a journal where there is none', async () => {
    await expect(ask('journal', 'verify')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'there is no journal yet',
      help: 'start a gateway with `palyra up`, or name an export: `palyra journal verify FILE`',
    });
  });

  it('finds an untouched store intact', async () => {
    await using test = await testGateway({ home });
    await test.journal.append([{ kind: 'daemon.stopped', actor: 'gateway', payload: {} }]);
    expect(await ask('journal', 'verify')).toMatchObject({
      exit: 0,
      kind: 'journal.verify',
      fields: { verdict: 'intact', entries: 1 },
    });
  });
});
