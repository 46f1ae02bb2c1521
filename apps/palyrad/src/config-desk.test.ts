import type { Explanation } from '@palyra/config';
import { ConfigLayer } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { createConfigDesk } from './config-desk.ts';

const FILE = { kind: 'user', file: '/home/ada/palyra.toml', line: 3 } as const;

function shownFor(explanation: Partial<Explanation>) {
  const whole: Explanation = {
    key: 'log.level',
    origin: FILE,
    description: 'x',
    takes: 'text',
    environmentName: 'PALYRA_LOG_LEVEL',
    isSecret: false,
    losers: [],
    ...explanation,
  };
  const { key, origin } = whole;
  const settings = { show: () => [{ key, origin }], explain: () => whole };
  const desk = createConfigDesk({ settings, file: FILE.file, readAt: new Date(0) });
  return desk.show().sections.flatMap(({ keys }) => keys);
}

it('of a secret only where it comes from is told, whichever layer says it', () => {
  const value = 'hunter2';
  const losers = [{ origin: { kind: 'environment', name: 'PALYRA_X' }, value }] as const;
  const [key] = shownFor({ isSecret: true, value, default: value, losers });
  expect(key).toMatchObject({
    isSecret: true,
    isSet: true,
    origin: { layer: ConfigLayer.USER, words: '/home/ada/palyra.toml:3', line: 3 },
    losers: [{ origin: { layer: ConfigLayer.ENVIRONMENT } }],
  });
  expect(JSON.stringify(key)).not.toContain(value);
});

it('a key that was pasted where none belongs is not told either', () => {
  const [key] = shownFor({ value: ['plain', `sk-ant-api03-${'a1B2'.repeat(12)}`] });
  expect(key?.value).toBe('["plain", "[redacted]"]');
});

it('a key without a value has none', () => {
  const [key] = shownFor({});
  expect(key).toMatchObject({ isSet: false });
  expect(key?.value).toBeUndefined();
});
