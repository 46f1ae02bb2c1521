import { describe, expect, it } from 'vitest';
import { parseHostRule, parseHostRules } from './host-rule.ts';

describe('an entry of the allowlist', () => {
  it.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.com.', 'example.com'],
    ['example.com:443,80', 'example.com'],
    ['example.com:8443,443,443', 'example.com:443,8443'],
    ['*.Example.com', '*.example.com'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['127.0.0.1:8080', '127.0.0.1:8080'],
    ['[0:0::1]:8080', '[::1]:8080'],
    ['tcp:git.example.com:22', 'tcp:git.example.com:22'],
    ['tcp:10.0.0.1:80,443', 'tcp:10.0.0.1:80,443'],
    ['HEAD,GET example.com/v1/**', 'GET,HEAD example.com/v1/**'],
    ['GET example.com/**', 'GET example.com'],
    ['example.com/**', 'example.com'],
    ['example.com:443/repos/*/issues', 'example.com:443/repos/*/issues'],
    ['GET 10.0.0.5:443/v1/**', 'GET 10.0.0.5:443/v1/**'],
  ])('%s is written %s, and read again the same', (entry, text) => {
    const rule = parseHostRule(entry);
    expect(rule.text).toBe(text);
    expect(parseHostRule(rule.text)).toEqual(rule);
  });

  it.each([
    [''],
    [' example.com'],
    ['example.com '],
    ['http://example.com'],
    ['user@example.com'],
    ['example.com:'],
    ['example.com:0'],
    ['example.com:65536'],
    ['example.com:080'],
    [`example.com:${Array.from({ length: 17 }, (_, at) => at + 1).join(',')}`],
    ['*'],
    ['*.'],
    ['*.com'],
    ['a*.example.com'],
    ['*.*.example.com'],
    ['*.127.0.0.1'],
    ['exa_mple.com'],
    ['münchen.example'],
    ['xn--a.example'],
    ['example.123'],
    ['2130706433'],
    ['0x7f000001'],
    ['127.0.1'],
    ['127.0.0.01'],
    ['::1'],
    ['[::ffff:127.0.0.1]:80'],
    ['[fe80::1%eth0]:80'],
    ['tcp:example.com'],
    ['tcp:example.com:22/path'],
    ['GET tcp:example.com:22'],
    ['get example.com'],
    ['GET  example.com'],
    ['GET, HEAD example.com'],
    ['example.com/v1/**/x'],
    ['example.com/v*'],
    ['example.com/a//b'],
    ['example.com/a/../b'],
    ['example.com/%2e'],
    ['example.com/a?b'],
    ['example.com/a\nb'],
    ['a'.repeat(2000)],
  ])('%j is refused with a way out', (entry) => {
    expect(() => parseHostRule(entry)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', help: expect.stringMatching(/.../) }),
    );
  });
});

describe('an allowlist', () => {
  it('holds each entry once', () => {
    const rules = parseHostRules(['a.example', 'A.example:80,443', 'b.example']);
    expect(rules.map(({ text }) => text)).toEqual(['a.example', 'b.example']);
  });

  it.each([
    ['a.example', 'GET a.example/v1/**'],
    ['tcp:a.example:443', 'a.example'],
    ['tcp:a.example:443', 'GET a.example:443'],
  ])('with %s and %s contradicts itself', (one, other) => {
    expect(() => parseHostRules([one, other])).toThrow(/contradict/);
  });

  it('may limit a host to several kinds of requests, and open another port of it', () => {
    const entries = ['GET a.example:443/v1/**', 'POST a.example:443/v1/users', 'a.example:8443'];
    expect(parseHostRules(entries).length).toBe(3);
  });

  it('is bounded', () => {
    const entries = Array.from({ length: 257 }, (_, at) => `h${at}.example`);
    expect(() => parseHostRules(entries)).toThrow(/more than 256/);
    expect(parseHostRules(entries.slice(1)).length).toBe(256);
  });
});
