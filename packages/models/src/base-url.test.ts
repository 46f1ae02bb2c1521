import { describe, expect, it } from 'vitest';
import { isLoopback, parseBaseUrl, under } from './base-url.ts';

describe('a base URL', () => {
  it.each([
    ['https://api.example', 'https://api.example/a?b=c'],
    ['https://api.example/', 'https://api.example/a?b=c'],
    ['https://api.example/v1', 'https://api.example/v1/a?b=c'],
    ['https://api.example/v1//', 'https://api.example/v1/a?b=c'],
  ])('%s has paths added to it', (base, url) => {
    expect(under(parseBaseUrl(base) ?? new URL('about:blank'), 'a?b=c').href).toBe(url);
  });

  it.each(['', 'x', 'ftp://a', 'https://a@b', 'https://:p@b', 'https://a/?q', 'https://a/#h'])(
    'is not %j',
    (text) => {
      expect(parseBaseUrl(text)).toBeUndefined();
    },
  );

  it.each([
    'http://localhost:1',
    'http://LOCALHOST',
    'http://127.0.0.1',
    'http://127.8.9.1',
    'http://0x7f.1',
    'http://[::1]',
  ])('stays on this machine: %s', (url) => {
    expect(isLoopback(new URL(url))).toBe(true);
  });

  it.each([
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://0.0.0.0',
    'http://[::ffff:127.0.0.1]',
    'http://10.0.0.1',
    'http://my.localhost',
  ])('leads away: %s', (url) => {
    expect(isLoopback(new URL(url))).toBe(false);
  });
});
