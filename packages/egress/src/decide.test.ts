import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { parseHostRules } from './host-rule.ts';

const rules = parseHostRules([
  'a.example',
  '*.b.example:443',
  'GET api.b.example:443/v1/**',
  '*.deep.b.example:8443',
  'tcp:git.example:22',
  '127.0.0.1:8080',
  '[::1]:8080',
]);

function outcome(host: string, port: number): string {
  const decision = decide(host, port, rules);
  return decision.kind === 'allowed' ? decision.rules[0].text : decision.reason;
}

describe('a decision', () => {
  it.each([
    ['a.example', 443, 'a.example'],
    ['A.EXAMPLE.', 80, 'a.example'],
    ['a.example', 8080, 'port-not-listed'],
    ['x.a.example', 443, 'host-not-listed'],
    ['xa.example', 443, 'host-not-listed'],
    ['example', 443, 'host-not-listed'],
    ['b.example', 443, 'host-not-listed'],
    ['x.b.example', 443, '*.b.example:443'],
    ['x.y.b.example', 443, '*.b.example:443'],
    ['xb.example', 443, 'host-not-listed'],
    ['api.b.example', 443, 'GET api.b.example:443/v1/**'],
    ['x.deep.b.example', 8443, '*.deep.b.example:8443'],
    ['x.deep.b.example', 443, '*.b.example:443'],
    ['git.example', 22, 'tcp:git.example:22'],
    ['127.0.0.1', 8080, '127.0.0.1:8080'],
    ['127.0.0.1', 80, 'port-not-listed'],
    ['127.0.0.2', 8080, 'address-not-listed'],
    ['[::1]', 8080, '[::1]:8080'],
    ['[0:0:0:0:0:0:0:1]', 8080, '[::1]:8080'],
    ['::1', 8080, 'host-malformed'],
    ['[127.0.0.1]', 8080, 'host-malformed'],
    ['[::ffff:127.0.0.1]', 8080, 'host-malformed'],
    ['127.1', 8080, 'host-malformed'],
    ['0177.0.0.1', 8080, 'host-malformed'],
    ['', 443, 'host-malformed'],
    ['.', 443, 'host-malformed'],
    ['a..example', 443, 'host-malformed'],
    ['a.example..', 443, 'host-malformed'],
    ['-a.example', 443, 'host-malformed'],
    ['a.example\0', 443, 'host-malformed'],
    ['a.example\n', 443, 'host-malformed'],
    ['ａ.example', 443, 'host-malformed'],
    ['a\u3002example', 443, 'host-malformed'],
    ['\u212a.b.example', 443, 'host-malformed'],
  ])('about %j port %i is %s', (host, port, expected) => {
    expect(outcome(host, port)).toBe(expected);
  });

  it('is never yes without rules', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 65_535 }), (host, port) => {
        expect(decide(host, port, []).kind).toBe('refused');
      }),
    );
  });

  it('is yes for nothing but the name itself, in any case, with or without a dot', () => {
    const near = fc.tuple(fc.string({ maxLength: 3 }), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(near, ([before, after]) => {
        const host = `${before}a.example${after}`;
        const isSame = /^a\.example\.?$/i.test(host) && !host.includes('\n');
        expect(decide(host, 443, rules).kind === 'allowed').toBe(isSame);
      }),
      { numRuns: 300 },
    );
  });
});
