import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HelloReader } from './client-hello.ts';
import { extension, hello, nameEntry, records, serverName, vector } from './hello.fixture.ts';

const LIMIT = 65_536;
const good = hello({ extensions: [extension(10, Buffer.from([0])), serverName('web.test')] });

/** As it comes out when the bytes come in pieces of this size. */
function readIn(bytes: Buffer, size = bytes.length) {
  const reader = new HelloReader(LIMIT);
  for (let at = 0; at < bytes.length; at += size) {
    const progress = reader.push(bytes.subarray(at, at + size));
    if (progress.kind !== 'more') return progress;
  }
  return { kind: 'more' } as const;
}

describe('a ClientHello', () => {
  it('tells the host it names, and is given back whole with what follows', () => {
    const bytes = Buffer.concat([records(good), Buffer.from('early')]);
    expect(readIn(bytes)).toEqual({ kind: 'done', value: { serverName: 'web.test' }, rest: bytes });
  });

  it.each([1, 2, 5, 6, 7, 100])('is read from several records in pieces of %i', (size) => {
    const bytes = records(good, 7);
    expect(readIn(bytes, size)).toMatchObject({ kind: 'done', value: { serverName: 'web.test' } });
  });

  it('in records of one byte each is malformed', () => {
    const refusal = { kind: 'refused', reason: 'hello-malformed' };
    expect(readIn(records(good, 1))).toEqual(refusal);
  });

  it('may name nobody', () => {
    const value = { serverName: undefined };
    expect(readIn(records(hello({ extensions: [] })))).toMatchObject({ kind: 'done', value });
    const withoutExtensions = Buffer.from(hello({ extensions: [] }).subarray(0, -2));
    withoutExtensions.writeUIntBE(withoutExtensions.length - 4, 1, 3);
    expect(readIn(records(withoutExtensions))).toMatchObject({ kind: 'done', value });
  });

  it.each([
    [
      'two names in one extension',
      [extension(0, vector(2, Buffer.concat([nameEntry('a.test'), nameEntry('b.test')])))],
    ],
    ['two extensions that name', [serverName('web.test'), serverName('web.test')]],
    [
      'two of any extension',
      [serverName('web.test'), extension(10, Buffer.alloc(0)), extension(10, Buffer.alloc(0))],
    ],
    ['a name of another kind', [extension(0, vector(2, nameEntry('web.test', 1)))]],
    ['an empty name', [serverName('')]],
    ['an empty list of names', [extension(0, vector(2, Buffer.alloc(0)))]],
    [
      'bytes after the list of names',
      [extension(0, Buffer.concat([vector(2, nameEntry('web.test')), Buffer.from([0])]))],
    ],
    ['an extension that is cut off', [serverName('web.test').subarray(0, -1)]],
    ['an extension longer than the block', [Buffer.from([0, 0, 0xff, 0xff])]],
  ])('with %s is malformed', (_what, extensions) => {
    expect(readIn(records(hello({ extensions })))).toEqual({
      kind: 'refused',
      reason: 'hello-malformed',
    });
  });

  it.each([[0xfe0d], [0xffce]])('with the hiding extension %i is refused', (type) => {
    const extensions = [serverName('web.test'), extension(type, Buffer.alloc(8))];
    expect(readIn(records(hello({ extensions })))).toEqual({
      kind: 'refused',
      reason: 'hello-encrypted',
    });
  });

  it.each([
    ['plain text', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['SSH', Buffer.from('SSH-2.0-x\r\n')],
    ['an alert', Buffer.from([21, 3, 1, 0, 2, 1, 0])],
    ['SSL 2', Buffer.from([0x80, 0x2e, 1, 3, 1])],
    ['SSL 3', Buffer.from([22, 3, 0, 0, 1, 1])],
    ['an empty record', Buffer.from([22, 3, 1, 0, 0])],
    ['a record that is too long', Buffer.from([22, 3, 1, 0x40, 1])],
    ['another message', records(Buffer.from([2, 0, 0, 0]))],
    ['a message after it in its record', records(Buffer.concat([good, good]))],
    ['another version', records(hello({ extensions: [], version: 0x0304 }))],
    [
      'a change of cipher in between',
      Buffer.concat([records(good).subarray(0, 5 + good.length), Buffer.from([20])]).fill(20, 0, 1),
    ],
  ])('is not %s', (_what, bytes) => {
    expect(readIn(bytes)).toEqual({ kind: 'refused', reason: 'hello-malformed' });
  });

  it('is not waited for beyond its limit', () => {
    const claims = records(Buffer.concat([Buffer.from([1, 1, 0, 1]), Buffer.alloc(100)]));
    expect(readIn(claims)).toEqual({ kind: 'refused', reason: 'hello-too-long' });
    const padded = hello({
      extensions: [extension(21, Buffer.alloc(65_400)), serverName('a.test')],
    });
    expect(readIn(records(padded, 2048), 100)).toEqual({
      kind: 'refused',
      reason: 'hello-too-long',
    });
  });

  it('never gets past the reader by chance, and never makes it throw', () => {
    const spoiled = fc
      .tuple(fc.nat(good.length + 4), fc.integer({ min: 1, max: 255 }))
      .map(([at, by]) => {
        const bytes = Buffer.from(records(good));
        bytes[at] = (bytes[at] ?? 0) ^ by;
        return bytes;
      });
    fc.assert(
      fc.property(
        fc.oneof(spoiled, fc.uint8Array({ maxLength: 400 })),
        fc.integer({ min: 1, max: 64 }),
        (bytes, size) => {
          const whole = readIn(Buffer.from(bytes));
          // However it comes, it means the same.
          expect(readIn(Buffer.from(bytes), size).kind).toBe(whole.kind);
          if (whole.kind === 'done') expect(whole.rest).toEqual(Buffer.from(bytes));
        },
      ),
      { numRuns: 500 },
    );
  });
});
