import type { Bytes } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { parseHostRules } from './host-rule.ts';
import { bindSecrets } from './secrets.ts';

const rules = parseHostRules(['a.example', '*.b.example', 'tcp:c.example:443', 'd.example:80']);
const fillRandom = (bytes: Bytes) => void globalThis.crypto.getRandomValues(bytes);

function bind(use: string) {
  return bindSecrets([{ name: 'TOKEN', use }], rules, fillRandom)[0];
}

describe('a secret', () => {
  it('gets a placeholder that nobody can guess, and is for TLS alone', () => {
    const [one, other] = [bind('a.example'), bind('a.example')];
    expect(one?.placeholder).toMatch(/^palyra-secret-[0-9a-f]{32}$/);
    expect(one?.placeholder).not.toBe(other?.placeholder);
    expect(one?.ports).toEqual([443]);
  });

  it('may be bound to one name below a wildcard', () => {
    expect(bind('POST x.b.example/v1/**')).toMatchObject({
      host: { kind: 'name', name: 'x.b.example' },
      requests: { methods: ['POST'], path: ['v1', '**'] },
    });
  });

  it.each([
    ['evil.example'],
    ['*.b.example'],
    ['b.example'],
    ['tcp:c.example:443'],
    ['c.example'],
    ['d.example'],
    ['a.example:8443'],
    ['nonsense here'],
  ])('is not bound to %s', (use) => {
    expect(() => bind(use)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });
});
