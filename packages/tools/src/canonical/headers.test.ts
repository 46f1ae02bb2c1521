import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHeaders } from './headers.ts';
import { METHODS, readMethod } from './method.ts';

describe('headers', () => {
  it('are in lower case and sorted, whatever the order', () => {
    const accept = { name: 'Accept', value: 'text/*' };
    const token = { name: 'X-Token', value: 'a b' };
    const read = {
      kind: 'read',
      value: [
        { ...accept, name: 'accept' },
        { ...token, name: 'x-token' },
      ],
    };
    expect(readHeaders([token, accept])).toEqual(read);
    expect(readHeaders([accept, token])).toEqual(read);
  });

  it.each([
    ['a host of their own', 'Host', 'evil.example', 'must not name `Host`'],
    ['a host for a proxy', 'X-Forwarded-Host', 'evil.example', 'must not name'],
    ['another path', 'X-Original-URL', '/admin', 'must not name'],
    ['another path for a proxy', 'X-Original-URI', '/admin', 'must not name'],
    ['a path to rewrite', 'X-Rewrite-URL', '/admin', 'must not name'],
    ['a path that was', 'X-Envoy-Original-Path', '/admin', 'must not name'],
    ['a path to take instead', 'X-Override-URL', '/admin', 'must not name'],
    ['another client', 'X-Forwarded-For', '127.0.0.1', 'must not name'],
    ['a path on the way', 'X-Forwarded-Uri', '/admin', 'must not name'],
    ['a way', 'Forwarded', 'host=evil.example', 'must not name'],
    ['who is asking', 'Authorization', 'Bearer a', 'must not name'],
    ['a session', 'Cookie', 'a=b', 'must not name'],
    ['a key', 'X-Api-Key', 'a', 'must not name'],
    ['another method', 'X-HTTP-Method-Override', 'DELETE', 'must not name'],
    ['another method in short', 'X-HTTP-Method', 'DELETE', 'must not name'],
    ['another length', 'Content-Length', '0', 'must not name'],
    ['other framing', 'transfer-encoding', 'chunked', 'must not name'],
    ['another protocol', 'Upgrade', 'h2c', 'must not name'],
    ['a line break', 'accept', 'a\r\nhost: b', 'a value that is not plain'],
    ['a line feed', 'accept', 'a\nb', 'a value that is not plain'],
    ['a NUL', 'accept', 'a\0', 'a value that is not plain'],
    ['a space around', 'accept', ' a', 'a value that is not plain'],
    ['a space after', 'accept', 'a ', 'a value that is not plain'],
    ['letters beyond ascii', 'accept', 'é', 'a value that is not plain'],
    ['a space in the name', 'ac cept', 'a', 'which is no name'],
    ['a colon in the name', 'accept:', 'a', 'which is no name'],
    ['a line break in the name', 'accept\r\nhost', 'a', 'which is no name'],
    ['an underscore in the name', 'x_original_url', 'a', 'which is no name'],
    ['a pseudo name', ':authority', 'evil.example', 'which is no name'],
    ['an empty name', '', 'a', 'which is no name'],
    ['a letter that becomes a `k`', '\u212Aeep-alive', 'a', 'which is no name'],
  ])('are not read with %s', (_what, name, value, reason) => {
    expect(readHeaders([{ name, value }])).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining(reason),
    });
  });

  it('name each header once', () => {
    const twice = [
      { name: 'Accept', value: 'a' },
      { name: 'accept', value: 'b' },
    ];
    expect(readHeaders(twice)).toMatchObject({ reason: 'name `accept` twice' });
  });

  it('that are read mean themselves', () => {
    const header = fc.record({
      name: fc.stringMatching(/^[A-Za-z0-9-]{1,8}$/),
      value: fc.string({ maxLength: 8 }),
    });
    fc.assert(
      fc.property(fc.array(header, { maxLength: 6 }), (headers) => {
        const reading = readHeaders(headers);
        if (reading.kind === 'read') expect(readHeaders(reading.value)).toEqual(reading);
      }),
    );
  });
});

describe('a method', () => {
  it.each(METHODS)('%s may be written in any case', (method) => {
    expect(readMethod(method.toLowerCase())).toEqual({ kind: 'read', value: method });
  });

  it.each([
    '',
    'GET ',
    ' GET',
    'GE\tT',
    'CONNECT',
    'TRACE',
    'opt\u0131ons',
    'PO\u017FT',
    'ＧＥＴ',
    'GET\0',
  ])('is not %j', (text) => {
    expect(readMethod(text)).toMatchObject({ kind: 'unreadable' });
  });
});
