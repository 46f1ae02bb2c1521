import { describe, expect, it } from 'vitest';
import { readHostPort } from './host-port.ts';

describe('a host and its port', () => {
  it.each([
    ['API.Example', 'api.example:443', 'name'],
    ['api.example.:8443', 'api.example:8443', 'name'],
    ['api.example:443', 'api.example:443', 'name'],
    ['localhost', 'localhost:443', 'loopback'],
    ['0x7f.1:80', '127.0.0.1:80', 'loopback'],
    ['[::ffff:10.0.0.1]', '10.0.0.1:443', 'private'],
    ['[2001:DB8:0::1]:22', '[2001:db8::1]:22', 'special'],
  ])('%s is %s', (text, spelled, range) => {
    expect(readHostPort(text)).toMatchObject({ kind: 'read', value: { text: spelled, range } });
  });

  it.each([
    '',
    'a b',
    'user@api.example',
    'api.example/x',
    'api.example?x',
    'a%2eb',
    '*.example',
    'x:99999',
  ])('refuses `%s`', (text) => {
    expect(readHostPort(text).kind).toBe('unreadable');
  });
});
