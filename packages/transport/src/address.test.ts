import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, networkOf, parseAddress, writeAddress } from './address.ts';

describe('an address', () => {
  it.each([
    ['127.0.0.1:7443', { host: '127.0.0.1', port: 7443 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:65535', { host: '::1', port: 65535 }],
    ['gateway.example:443', { host: 'gateway.example', port: 443 }],
  ])('is read and written alike: %s', (text, address) => {
    expect(parseAddress(text)).toEqual(address);
    expect(writeAddress(address)).toBe(text);
  });

  it.each([
    '',
    'unix',
    'localhost',
    ':7443',
    '::1:7443',
    '[::1]',
    'x:65536',
    'x:-1',
    'a b:1',
    'x:1\n',
  ])('is refused when it is none: %j', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  it('is on loopback by its number, never by its name', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].every(isLoopbackAddress)).toBe(
      true,
    );
    expect(['localhost', '10.0.0.1', '::2', '::ffff:10.0.0.1', ''].some(isLoopbackAddress)).toBe(
      false,
    );
  });

  it('of IPv6 belongs to its network of 64 bits', () => {
    expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64');
    expect(networkOf('2001:db8:0:0:ffff::')).toBe('2001:db8:0:0::/64');
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  });
});
