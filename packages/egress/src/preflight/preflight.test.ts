import { describe, expect, it } from 'vitest';
import { parseHostRules } from '../host-rule.ts';
import { preflight } from './preflight.ts';

const PUBLIC = '93.184.216.34';

async function judge(
  words: readonly string[],
  entries: readonly string[],
  addresses: Readonly<Record<string, readonly string[]>> = {},
) {
  const asked: string[] = [];
  const lookup = (name: string) => {
    asked.push(name);
    return Promise.resolve(addresses[name] ?? [PUBLIC]);
  };
  const order = { words, rules: parseHostRules(entries) };
  return { outcome: await preflight(order, { lookup, deadlineMs: 60_000 }), asked };
}

describe('the preflight of a command', () => {
  it('lets pass what names listed hosts, each looked up once', async () => {
    const words = ['clone', 'https://code.example/a.git', 'http://code.example/b'];
    const { outcome, asked } = await judge(words, ['code.example', '*.mirror.example']);
    expect(outcome).toEqual({ kind: 'clear' });
    expect(asked).toEqual(['code.example']);
  });

  it.each([
    ['https://evil.example/x', 'evil.example:443', 'host-not-listed'],
    ['http://code.example:81/', 'code.example:81', 'port-not-listed'],
    ['git@code.example:a/b', 'code.example:22', 'port-not-listed'],
    ['http://127.0.0.1/', '127.0.0.1:80', 'address-not-listed'],
    ['http://2130706433/', '2130706433:80', 'host-malformed'],
    ['http://0x7f.1/', '0x7f.1:80', 'host-malformed'],
    ['http://[::ffff:127.0.0.1]/', '[::ffff:127.0.0.1]:80', 'host-malformed'],
  ])('denies `%s`, and looks nobody up', async (word, host, reason) => {
    const { outcome, asked } = await judge(['-O', word], ['code.example']);
    expect(outcome).toEqual({ kind: 'denied', host, reason });
    expect(asked).toEqual([]);
  });

  it('denies every host when none is declared', async () => {
    const { outcome } = await judge(['https://code.example'], []);
    expect(outcome).toMatchObject({ kind: 'denied', host: 'code.example:443' });
  });

  it.each(['10.0.0.1', '127.0.0.1', '169.254.169.254', '64:ff9b::a00:1', '2002:a00:1::', '::1'])(
    'denies a declared host that leads to %s, also one of several',
    async (address) => {
      const { outcome } = await judge([], ['a.example'], { 'a.example': [PUBLIC, address] });
      expect(outcome).toEqual({
        kind: 'denied',
        host: 'a.example:80',
        reason: 'address-forbidden',
      });
    },
  );

  it('lets a host lead to an address that is listed itself', async () => {
    const addresses = { 'a.example': ['127.0.0.1'] };
    const { outcome } = await judge([], ['a.example:8080', '127.0.0.1:8080'], addresses);
    expect(outcome).toEqual({ kind: 'clear' });
  });

  it('denies a host without an address, and one whose address does not come', async () => {
    const rules = parseHostRules(['a.example']);
    const none = await preflight(
      { words: [], rules },
      { lookup: () => Promise.reject(new Error('no such host')), deadlineMs: 60_000 },
    );
    const never = await preflight(
      { words: [], rules },
      { lookup: () => new Promise<never>(() => {}), deadlineMs: 1 },
    );
    const outcome = { kind: 'denied', host: 'a.example:80', reason: 'host-unresolved' };
    expect([none, never]).toEqual([outcome, outcome]);
  });
});
