import { describe, expect, it } from 'vitest';
import { readEnvironmentLayer, readFileLayer, readFlagLayer } from './layers.ts';
import { MAX_PROBLEMS } from './problem.ts';
import { SECTIONS } from './sample.fixture.ts';
import { declareKeys } from './sections.ts';

const declarations = declareKeys(SECTIONS);
const origin = { kind: 'user', file: '/home/ada/palyra.toml' } as const;

function problemsOf(text: string) {
  return readFileLayer(declarations, Buffer.from(text), origin).problems;
}

describe('a file', () => {
  it('with a misspelt key is refused with the key that was meant', () => {
    expect(problemsOf('[journal]\n\nsegmnt_bytes = 5000\n')).toEqual([
      {
        code: 'CONFIG_UNKNOWN_KEY',
        key: 'journal.segmnt_bytes',
        origin: { ...origin, line: 3 },
        message: '`journal.segmnt_bytes` (/home/ada/palyra.toml:3) is not a key',
        help: 'did you mean `journal.segment_bytes`? `docs/reference/config.md` lists every key',
      },
    ]);
  });

  it('with a misspelt section is refused with the section that was meant', () => {
    expect(problemsOf('[jurnal]\nkeep_days = 3\n')[0]).toMatchObject({
      code: 'CONFIG_UNKNOWN_KEY',
      help: 'did you mean `journal`? `docs/reference/config.md` lists every key',
    });
  });

  it('with a key outside of its section is refused with the whole name', () => {
    expect(problemsOf('keep_days = 3\n')[0]?.help).toContain('did you mean `journal.keep_days`?');
  });

  it('with a section in the place of a value, or the other way round, is refused', () => {
    expect(problemsOf('journal = 3\n')[0]?.message).toBe(
      '`journal` (/home/ada/palyra.toml:1) is a section, not a value',
    );
    expect(problemsOf('[[journal]]\nkeep_days = 3\n')[0]?.code).toBe('CONFIG_INVALID');
    expect(problemsOf('[journal.keep_days]\nx = 1\n')[0]?.message).toBe(
      '`journal.keep_days` (/home/ada/palyra.toml:1) takes a whole number from 1 to 3650, not a table',
    );
  });

  it.each([
    ['[journal]\nkeep_days = "3"', 'takes a whole number from 1 to 3650, not text `3`'],
    ['[journal]\nkeep_days = 0', 'takes a whole number from 1 to 3650, not `0`'],
    ['[journal]\nkeep_days = 1.5', 'takes a whole number from 1 to 3650, not `1.5`'],
    ['[journal]\nkeep_days = nan', 'takes a whole number from 1 to 3650, not `NaN`'],
    [
      '[journal]\nkeep_days = 2024-02-29',
      'takes a whole number from 1 to 3650, not a date or time',
    ],
    ['[transport]\nratio = 1e400', 'takes a number from 0 to 1, not `Infinity`'],
    ['[transport]\ntls = "yes"', 'takes `true` or `false`, not text `yes`'],
    ['[transport]\negress = "opne"', 'takes one of `closed`, `listed`, `open`, not text `opne`'],
    ['[transport]\nlisten = 3', 'takes text of at most 255 characters, not `3`'],
    [
      '[transport]\norigins = "a"',
      'takes a list of at most 8, each text of at most 255 characters',
    ],
    [
      '[transport]\norigins = ["a", 3]',
      'takes a list of at most 8, each text of at most 255 characters: item `1` is wrong',
    ],
    ['[transport]\nlisten = "\\u001b[31mred"', 'takes text of at most'],
  ])('with %j is told what the key takes', (text, expected) => {
    const [problem] = problemsOf(text.replace('"\\u001b', `"${'x'.repeat(300)}\\u001b`));
    expect(problem?.code).toBe('CONFIG_INVALID');
    expect(problem?.message).toContain(expected);
    expect(problem?.message).not.toMatch(/\p{Cc}/u);
  });

  it('never shows a secret, also when it is wrong', () => {
    const [problem] = problemsOf('[transport]\npassword = "hunter2"\n');
    expect(problem?.message).toBe(
      '`transport.password` (/home/ada/palyra.toml:2) takes text of 8 to 100 characters, not what is set',
    );
  });

  it('never shows what may hold a secret only because it is wrong', () => {
    const [problem] = problemsOf('[transport]\npeer = "http://ada:hun/ter2@a.example"\n');
    expect(problem?.message).toBe(
      '`transport.peer` (/home/ada/palyra.toml:2) has to be a plain URL, not what is set',
    );
  });

  it('with thousands of unknown keys is refused with the first of them', () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `unknown_${index} = 1`);
    expect(problemsOf(`[journal]\n${keys.join('\n')}\n`)).toHaveLength(MAX_PROBLEMS);
  });
});

describe('the environment', () => {
  it('sets text as it is and everything else as TOML writes it', () => {
    const { settings, problems } = readEnvironmentLayer(declarations, {
      PALYRA_JOURNAL_SEGMENT_BYTES: '1_000_000',
      PALYRA_TRANSPORT_LISTEN: '"quoted" # text',
      PALYRA_TRANSPORT_TLS: 'true',
      PALYRA_TRANSPORT_ORIGINS: '["a.example", "b#.example"]',
      PALYRA_DEPLOYMENT_PROFILE: 'remote_vps',
      PATH: '/bin',
    });
    expect(problems).toEqual([]);
    expect(settings.map(({ declaration, value }) => [declaration.path, value])).toEqual([
      ['journal.segment_bytes', 1_000_000],
      ['transport.listen', '"quoted" # text'],
      ['transport.tls', true],
      ['transport.origins', ['a.example', 'b#.example']],
      ['deployment.profile', 'single-vm'],
    ]);
  });

  it('may say where things are', () => {
    const environment = { PALYRA_HOME: '/srv/palyra', PALYRA_CONFIG: '/srv/palyra.toml' };
    expect(readEnvironmentLayer(declarations, environment)).toEqual({ settings: [], problems: [] });
  });

  it('with an unknown name of ours is refused with the name that was meant', () => {
    const { problems } = readEnvironmentLayer(declarations, { PALYRA_JOURNAL_KEEPDAYS: '3' });
    expect(problems[0]).toMatchObject({
      code: 'CONFIG_UNKNOWN_KEY',
      origin: { kind: 'environment', name: 'PALYRA_JOURNAL_KEEPDAYS' },
      help: 'did you mean `PALYRA_JOURNAL_KEEP_DAYS`? `docs/reference/config.md` lists every key',
    });
  });

  it.each([
    ['a second line', '3\nsegment_bytes = 4'],
    ['a comment', '3 # three'],
    ['nothing', ''],
    ['a word', 'many'],
    ['half a list', '[1'],
    ['a list in several lines', '[\n1\n]'],
  ])('with %s instead of a number is refused', (_, text) => {
    const { problems } = readEnvironmentLayer(declarations, { PALYRA_JOURNAL_KEEP_DAYS: text });
    expect(problems).toMatchObject([
      { code: 'CONFIG_INVALID', key: 'journal.keep_days', origin: { kind: 'environment' } },
    ]);
  });
});

describe('flags', () => {
  it('set keys by their whole name', () => {
    const { settings } = readFlagLayer(declarations, { 'journal.keep_days': '7' });
    expect(settings).toMatchObject([{ value: 7, origin: { kind: 'flag' } }]);
  });

  it('with an unknown key are refused', () => {
    const { problems } = readFlagLayer(declarations, { 'journal.keep_day': '7' });
    expect(problems[0]).toMatchObject({
      code: 'CONFIG_UNKNOWN_KEY',
      message: '`journal.keep_day` (`--set`) is not a key',
    });
  });
});
