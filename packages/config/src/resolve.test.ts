import { describe, expect, it } from 'vitest';
import { explainKey, showSettings } from './inspect.ts';
import { readEnvironmentLayer, readFileLayer, readFlagLayer } from './layers.ts';
import type { FileKind } from './origin.ts';
import { resolveLayers } from './resolve.ts';
import { SAMPLE_PROFILES, SECTIONS } from './sample.fixture.ts';
import { declareKeys } from './sections.ts';
import type { LayerReading } from './setting.ts';

const declarations = declareKeys(SECTIONS);
const NOTHING: LayerReading = { settings: [], problems: [] };

function file(kind: FileKind, text: string): LayerReading {
  return readFileLayer(declarations, Buffer.from(text), { kind, file: `/${kind}/palyra.toml` });
}

function resolve(operator: readonly LayerReading[], workspace: LayerReading = NOTHING) {
  return resolveLayers({ declarations, profiles: SAMPLE_PROFILES, operator, workspace });
}

describe('the layers', () => {
  const all = [
    file('system', '[deployment]\nprofile = "single-vm"\n[journal]\nkeep_days = 1\n'),
    file('user', '[journal]\nkeep_days = 2\n'),
    file('named', '[journal]\nkeep_days = 3\n'),
    readEnvironmentLayer(declarations, { PALYRA_JOURNAL_KEEP_DAYS: '4' }),
    readFlagLayer(declarations, { 'journal.keep_days': '5' }),
  ];

  it('win from the flag down to what is built in', () => {
    const { winner, losers } = explain(resolve(all));
    expect([winner, ...losers]).toEqual([
      ['flag', 5],
      ['environment', 4],
      ['named', 3],
      ['user', 2],
      ['system', 1],
      ['profile', 90],
      ['built-in', 30],
    ]);
  });

  it.each([
    [5, 'flag'],
    [4, 'environment'],
    [3, 'named'],
    [2, 'user'],
    [1, 'system'],
    [0, 'built-in'],
  ])('win with the first %i of them present by the strongest: %s', (count, kind) => {
    expect(explain(resolve(all.slice(0, count))).winner[0]).toBe(kind);
  });

  it('let a profile, by its older name too, win over what is built in only', () => {
    const chosen = readFlagLayer(declarations, { 'deployment.profile': 'remote_vps' });
    const { winner } = explain(resolve([chosen]));
    expect(winner).toEqual(['profile', 90]);
  });

  function explain({ traces }: ReturnType<typeof resolve>) {
    const { origin, value, losers } = explainKey(traces, 'journal.keep_days');
    return {
      winner: [origin.kind, value],
      losers: losers.map((loser) => [loser.origin.kind, loser.value]),
    };
  }
});

describe('a workspace', () => {
  it('may narrow', () => {
    const narrow =
      '[journal]\nsegment_bytes = 8192\n[transport]\norigins = []\negress = "closed"\n';
    const { traces, problems } = resolve([], file('workspace', narrow));
    expect(problems).toEqual([]);
    expect(showSettings(traces)).toContainEqual({
      key: 'journal.segment_bytes',
      value: 8192,
      origin: { kind: 'workspace', file: '/workspace/palyra.toml', line: 2 },
    });
  });

  it('narrows what the strongest layer of the operator says', () => {
    const flag = readFlagLayer(declarations, { 'journal.segment_bytes': '5000' });
    const { problems } = resolve([flag], file('workspace', '[journal]\nsegment_bytes = 8192\n'));
    expect(problems).toMatchObject([{ code: 'CONFIG_WIDENED', key: 'journal.segment_bytes' }]);
  });

  it.each([
    ['a higher number', '[journal]\nsegment_bytes = 65537\n', 'a workspace may lower it'],
    ['a longer list', '[transport]\norigins = ["evil.example"]\n', 'a workspace may shorten it'],
    ['a wider option', '[transport]\negress = "open"\n', 'a workspace may choose an option'],
    ['a key that is not its business', '[journal]\nkeep_days = 1\n', 'a workspace may not set it'],
    ['the profile', '[deployment]\nprofile = "local"\n', 'a workspace may not set it'],
  ])('may not set %s', (_, text, help) => {
    const { traces, problems } = resolve([], file('workspace', text));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      code: 'CONFIG_WIDENED',
      origin: { kind: 'workspace', file: '/workspace/palyra.toml', line: 2 },
    });
    expect(problems[0]?.help).toContain(help);
    expect(showSettings(traces).every(({ origin }) => origin.kind !== 'workspace')).toBe(true);
  });
});

describe('a profile', () => {
  it('that sets what no section takes is a mistake of ours', () => {
    const broken = (settings: Record<string, number>) => () =>
      resolveLayers({
        declarations,
        profiles: { ...SAMPLE_PROFILES, local: { description: '', settings } },
        operator: [],
        workspace: NOTHING,
      });
    expect(broken({ 'journal.nothing': 1 })).toThrow(TypeError);
    expect(broken({ 'journal.keep_days': 0 })).toThrow(TypeError);
  });
});
