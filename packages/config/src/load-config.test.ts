import { chmodSync, mkdirSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { ContradictionCheck } from './contradictions.ts';
import { type ConfigSources, loadConfig } from './load-config.ts';
import { SAMPLE_PROFILES, SECTIONS, SampleHome, refusal } from './sample.fixture.ts';

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

const openBind: ContradictionCheck<typeof SECTIONS> = ({ transport }) =>
  LOOPBACK.includes(transport.listen) || transport.tls
    ? undefined
    : {
        keys: ['transport.listen', 'transport.tls'],
        message: `\`${transport.listen}\` is reached from other machines without TLS`,
        help: 'set `transport.tls = true` or listen on `127.0.0.1`',
      };

describe('loading', () => {
  it('gives what is built in when there is no file at all', () => {
    using home = new SampleHome();
    expect(home.load().config).toEqual({
      deployment: { profile: 'local' },
      journal: { segment_bytes: 65_536, keep_days: 30 },
      transport: {
        listen: '127.0.0.1',
        tls: false,
        origins: ['app.example', 'www.example'],
        egress: 'listed',
        peer: '',
        ratio: 0.5,
      },
    });
  });

  it('lays the files, the environment and the flags over one another', () => {
    using home = new SampleHome();
    home.writeUserFile('[journal]\nkeep_days = 1\nsegment_bytes = 5000\n[transport]\ntls = true\n');
    const named = home.write('named.toml', '[journal]\nkeep_days = 2\nsegment_bytes = 6000\n');
    const workspaceFile = home.write('workspace.toml', '[journal]\nsegment_bytes = 4096\n');
    chmodSync(workspaceFile, 0o666);
    const environment = { PALYRA_CONFIG: named, PALYRA_JOURNAL_KEEP_DAYS: '3' };
    const flags = { 'transport.ratio': '0.25' };
    const { config } = home.load({ environment, flags, workspaceFile });
    expect(config.journal).toEqual({ keep_days: 3, segment_bytes: 4096 });
    expect(config.transport).toMatchObject({ tls: true, ratio: 0.25 });
  });

  it('reads the file of the system', () => {
    using home = new SampleHome();
    // Belongs to root everywhere, and is not TOML anywhere.
    const { problems } = refusal(() => home.load({ systemFile: '/etc/passwd' }));
    expect(problems).toMatchObject([
      { code: 'CONFIG_INVALID', origin: { kind: 'system', file: '/etc/passwd', line: 1 } },
    ]);
    expect(JSON.stringify(problems)).not.toContain('/bin');
  });

  it('freezes all of it, and never what is built in', () => {
    using home = new SampleHome();
    const { config } = home.load();
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.transport)).toBe(true);
    expect(Object.isFrozen(config.transport.origins)).toBe(true);
    expect(SECTIONS.transport.parse({}).origins).not.toBe(config.transport.origins);
  });

  it(
    'reports every problem of every layer at once',
    verifies('config:unknown-keys-are-errors'),
    () => {
      using home = new SampleHome();
      const file = home.writeUserFile('[journal]\nkeep_dys = 1\nsegment_bytes = 1\n');
      const error = refusal(() =>
        home.load({
          environment: { PALYRA_TRANSPORT_TLS: 'maybe' },
          flags: { 'transport.ratio': '7' },
        }),
      );
      expect(error).toBeInstanceOf(PalyraError);
      expect(error.code).toBe('CONFIG_UNKNOWN_KEY');
      expect(error.message).toBe(
        `\`journal.keep_dys\` (${file}:2) is not a key (and 3 more problems)`,
      );
      expect(error.help).toBe(
        'did you mean `journal.keep_days`? `docs/reference/config.md` lists every key',
      );
      expect(error.problems.map(({ key }) => key)).toEqual([
        'journal.keep_dys',
        'journal.segment_bytes',
        'transport.tls',
        'transport.ratio',
      ]);
    },
  );

  it('refuses a named file that is missing or whose path is relative', () => {
    using home = new SampleHome();
    const missing = `${home.root}/nowhere.toml`;
    const error = refusal(() => home.load({ environment: { PALYRA_CONFIG: missing } }));
    expect(error.message).toBe(`${missing} cannot be used: there is no such file`);
    expect(error.help).toBe('correct `PALYRA_CONFIG`, or mend the file that it names');
    expect(
      refusal(() => home.load({ environment: { PALYRA_CONFIG: 'palyra.toml' } })).message,
    ).toBe('palyra.toml cannot be used: `PALYRA_CONFIG` must be an absolute path');
  });

  it('takes an empty PALYRA_CONFIG for one that is not set', () => {
    using home = new SampleHome();
    home.writeUserFile('[journal]\nkeep_days = 7\n');
    const { config } = home.load({ environment: { PALYRA_CONFIG: '' } });
    expect(config.journal.keep_days).toBe(7);
  });

  it('refuses an open file or directory with the command that closes it', () => {
    using home = new SampleHome();
    const file = home.writeUserFile('');
    chmodSync(file, 0o644);
    const open = refusal(() => home.load());
    expect(open.code).toBe('HOME_UNSAFE');
    expect(open.message).toBe(`${file} is open to other users (mode 0644)`);
    expect(open.help).toBe(`run \`chmod 600 '${file}'\``);

    chmodSync(file, 0o600);
    chmodSync(home.places.configDir, 0o755);
    expect(refusal(() => home.load()).help).toBe(`run \`chmod 700 '${home.places.configDir}'\``);
  });

  it('refuses an open directory also while it is empty', () => {
    using home = new SampleHome();
    mkdirSync(home.places.configDir);
    chmodSync(home.places.configDir, 0o770);
    expect(refusal(() => home.load()).code).toBe('HOME_UNSAFE');
  });
});

describe('contradictions', () => {
  function load(home: SampleHome, flags: ConfigSources['flags']) {
    return loadConfig({
      sections: SECTIONS,
      profiles: SAMPLE_PROFILES,
      contradictions: [openBind],
      sources: {
        places: home.places,
        environment: {},
        flags,
        systemFile: `${home.root}/no-etc/palyra.toml`,
      },
    });
  }

  it('are refused with the keys, where each comes from, and the fix', () => {
    using home = new SampleHome();
    const file = home.writeUserFile('# mine\n[transport]\nlisten = "0.0.0.0"\n');
    const error = refusal(() => load(home, {}));
    expect(error.problems).toEqual([
      {
        code: 'CONFIG_CONTRADICTION',
        key: 'transport.listen',
        origin: { kind: 'user', file, line: 3 },
        message:
          '`0.0.0.0` is reached from other machines without TLS ' +
          `(\`transport.listen\` from ${file}:3, \`transport.tls\` from the built-in default)`,
        help: 'set `transport.tls = true` or listen on `127.0.0.1`',
      },
    ]);
  });

  it('are gone with the fix', () => {
    using home = new SampleHome();
    home.writeUserFile('[transport]\nlisten = "0.0.0.0"\n');
    expect(load(home, { 'transport.tls': 'true' }).config.transport.listen).toBe('0.0.0.0');
  });

  it('are not looked for while a value is wrong', () => {
    using home = new SampleHome();
    home.writeUserFile('[transport]\nlisten = "0.0.0.0"\ntls = "true"\n');
    expect(refusal(() => load(home, {})).problems.map(({ code }) => code)).toEqual([
      'CONFIG_INVALID',
    ]);
  });
});

describe('asking about a key', () => {
  it('tells what it takes, what it is, and who lost', () => {
    using home = new SampleHome();
    const file = home.writeUserFile('[journal]\nkeep_days = 7\n');
    const { explain } = home.load({ environment: { PALYRA_JOURNAL_KEEP_DAYS: '8' } });
    expect(explain('journal.keep_days')).toEqual({
      key: 'journal.keep_days',
      description: 'how long entries are kept',
      takes: 'a whole number from 1 to 3650',
      default: 30,
      value: 8,
      origin: { kind: 'environment', name: 'PALYRA_JOURNAL_KEEP_DAYS' },
      environmentName: 'PALYRA_JOURNAL_KEEP_DAYS',
      isSecret: false,
      losers: [
        { origin: { kind: 'user', file, line: 2 }, value: 7 },
        { origin: { kind: 'built-in' }, value: 30 },
      ],
    });
  });

  it('never tells a secret', () => {
    using home = new SampleHome();
    home.writeUserFile('[transport]\npassword = "correct horse"\n');
    const { config, explain, show } = home.load();
    expect(config.transport.password).toBe('correct horse');
    expect(explain('transport.password').value).toBe('[redacted]');
    expect(JSON.stringify([show(), explain('transport.password')])).not.toContain('horse');
  });

  it('that does not exist names the one that was meant', () => {
    using home = new SampleHome();
    const { explain } = home.load();
    expect(() => explain('journal.keep_day')).toThrow(
      expect.objectContaining({
        code: 'CONFIG_UNKNOWN_KEY',
        help: expect.stringContaining('did you mean `journal.keep_days`?'),
      }),
    );
  });

  it('whose value is refused tells what it takes, who said so, and what holds without that', () => {
    using home = new SampleHome();
    const file = home.writeUserFile('[journal]\nkeep_days = 9999\n');
    const environment = { PALYRA_JOURNAL_KEEP_DAYS: '8' };
    const { explanation, problems } = home.diagnose('journal.keep_days', { environment });
    expect(explanation).toMatchObject({ takes: 'a whole number from 1 to 3650', value: 8 });
    expect(problems).toEqual([
      {
        code: 'CONFIG_INVALID',
        key: 'journal.keep_days',
        origin: { kind: 'user', file, line: 2 },
        message: `\`journal.keep_days\` (${file}:2) takes a whole number from 1 to 3650, not \`9999\``,
        help: `correct it in ${file}:2, or take it out there`,
      },
    ]);
  });

  it('beside one that is refused tells of that, too', () => {
    using home = new SampleHome();
    home.writeUserFile('[journal]\nkeep_days = 9999\n');
    const { explanation, problems } = home.diagnose('transport.tls');
    expect(explanation).toMatchObject({ key: 'transport.tls', value: false });
    expect(problems).toMatchObject([
      { key: 'journal.keep_days', help: expect.stringContaining('config explain') },
    ]);
  });

  it.each([
    { beside: 'no fault', user: '', standing: 'wins' },
    { beside: 'a fault of another key', user: '[journal]\nkeep_days = 0\n', standing: 'wins' },
    { beside: 'a fault of it in a stronger layer', flag: 'maybe', standing: 'refused' },
    { beside: 'a stronger file that is missing', named: 'gone.toml', standing: 'unread' },
    { beside: 'a weaker file that is no TOML', user: 'x =\n', flag: 'true', standing: 'wins' },
    {
      beside: 'a weaker fault of it',
      user: '[transport]\ntls = 3\n',
      flag: 'true',
      standing: 'wins',
    },
    { beside: 'what a workspace may not say', workspace: 'tls = true', standing: 'wins' },
  ])('beside $beside has the standing $standing', ({ standing, ...said }) => {
    using home = new SampleHome();
    home.writeUserFile(said.user ?? '[transport]\ntls = true\n');
    const workspace = home.write('workspace.toml', `[transport]\n${said.workspace ?? ''}\n`);
    const diagnosis = home.diagnose('transport.tls', {
      environment: said.named === undefined ? {} : { PALYRA_CONFIG: `${home.root}/${said.named}` },
      flags: said.flag === undefined ? {} : { 'transport.tls': said.flag },
      workspaceFile: workspace,
    });
    expect(diagnosis.standing).toBe(standing);
  });

  it('of a contradiction still wins', () => {
    using home = new SampleHome();
    home.writeUserFile('[transport]\ntls = true\negress = "open"\n');
    expect(home.diagnose('transport.egress')).toMatchObject({
      standing: 'wins',
      problems: [{ code: 'CONFIG_CONTRADICTION' }],
    });
  });

  it('that is refused never tells a secret', () => {
    using home = new SampleHome();
    home.writeUserFile('[transport]\npassword = "horse"\npeer = "ada:horse@x"\n');
    for (const key of ['transport.password', 'transport.peer']) {
      const diagnosis = home.diagnose(key);
      expect(diagnosis.problems).toHaveLength(2);
      expect(JSON.stringify(diagnosis)).not.toContain('horse');
    }
  });

  it('that does not exist, and stands in a file, is what is wrong with that', () => {
    using home = new SampleHome();
    home.writeUserFile('[nope]\nx = 1\n');
    expect(refusal(() => home.diagnose('nope.x')).problems).toHaveLength(1);
  });

  it('that nothing is near to leads to the list of those that exist', () => {
    using home = new SampleHome();
    const { explain } = home.load();
    expect(() => explain('nope.x')).toThrow(
      expect.objectContaining({ help: '`docs/reference/config.md` lists every key' }),
    );
  });

  it('shows every key with its layer, also the ones that are not set', () => {
    using home = new SampleHome();
    const rows = home.load({ flags: { 'transport.tls': 'true' } }).show();
    expect(rows).toHaveLength(10);
    expect(rows).toContainEqual({ key: 'transport.tls', value: true, origin: { kind: 'flag' } });
    expect(rows).toContainEqual({ key: 'transport.password', origin: { kind: 'built-in' } });
  });
});
