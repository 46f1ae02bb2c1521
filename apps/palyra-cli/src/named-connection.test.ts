import { describe, expect, it } from 'vitest';
import { namedConnection } from './named-connection.ts';

const named = (connect: string) => namedConnection({ text: new Map([['connect', connect]]) });

describe('a connection that is named', () => {
  it.each([
    ['api.example', 'api.example', 443],
    ['api.example:8443', 'api.example', 8443],
    ['93.184.216.34:80', '93.184.216.34', 80],
    ['[2606:4700::1111]:53', '2606:4700::1111', 53],
    ['[::1]', '::1', 443],
  ])('is a host and a port: %s', (text, host, port) => {
    expect(named(text)).toEqual({ connection: { host, port } });
  });

  it.each(['', ':443', 'a:b', 'api.example:65536', 'api.example:', '::1', '[::1'])(
    'is refused when it is none: %j',
    (text) => {
      expect(() => named(text)).toThrow('is no host with a port');
    },
  );

  it('is nothing when none is', () => {
    expect(namedConnection({ text: new Map() })).toEqual({});
  });
});
