import { describe, expect, it } from 'vitest';
import { parseAddress, writeAddress } from './address.ts';

describe('an address', () => {
  it.each([
    ['gateway.lan', 'gateway.lan:7443'],
    ['gateway.lan:8443', 'gateway.lan:8443'],
    ['192.0.2.7', '192.0.2.7:7443'],
    ['::1', '[::1]:7443'],
    ['[::1]', '[::1]:7443'],
    ['[2001:db8::1]:9000', '[2001:db8::1]:9000'],
  ])('reads `%s` as `%s`', (text, written) => {
    expect(writeAddress(parseAddress(text))).toBe(written);
  });

  it.each([
    '',
    'a b',
    'host:',
    'host:0',
    'host:65536',
    'host:1:2',
    '[host]:1',
    'https://host',
    '-x',
  ])('refuses `%s`', (text) => {
    expect(() => parseAddress(text)).toThrow(`is no address`);
  });
});
