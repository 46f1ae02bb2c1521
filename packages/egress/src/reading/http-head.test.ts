import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyFilter, framingOf } from './http-body.ts';
import { headBytes, HeadReader, parseHead, withoutHopByHop } from './http-head.ts';

const LIMITS = { headBytes: 1024, headerFields: 8 };

function readIn(bytes: Buffer, size: number) {
  const reader = new HeadReader(LIMITS, 'request');
  for (let at = 0; at < bytes.length; at += size) {
    const progress = reader.push(bytes.subarray(at, at + size));
    if (progress.kind !== 'more') return progress;
  }
  return { kind: 'more' } as const;
}

describe('the head of a request', () => {
  const bytes = Buffer.from('GET /a HTTP/1.1\r\nHost: a\r\nX-Y:\tz \r\n\r\nbody');

  it.each([1, 2, 3, 7, 1000])('is read in pieces of %i and leaves what follows', (size) => {
    const progress = readIn(bytes, size);
    expect(progress).toMatchObject({
      kind: 'done',
      value: {
        start: ['GET', '/a', 'HTTP/1.1'],
        fields: [
          { name: 'host', value: 'a' },
          { name: 'x-y', value: 'z' },
        ],
      },
    });
  });

  it('may be of the older version when it opens a tunnel, and only then', () => {
    const opens = Buffer.from('CONNECT a:443 HTTP/1.0\r\n\r\n');
    expect(readIn(opens, 7)).toMatchObject({ kind: 'done', value: { fields: [] } });
    const reads = Buffer.from('GET /a HTTP/1.0\r\nHost: a\r\n\r\n');
    expect(readIn(reads, 7)).toEqual({ kind: 'refused', reason: 'head-malformed' });
  });

  it('is bounded in bytes and in fields', () => {
    const long = Buffer.from(`GET / HTTP/1.1\r\nX: ${'a'.repeat(2000)}`);
    expect(readIn(long, 1)).toEqual({ kind: 'refused', reason: 'head-too-long' });
    const many = Buffer.from(`GET / HTTP/1.1\r\n${'X: 1\r\n'.repeat(9)}\r\n`);
    expect(readIn(many, 100)).toEqual({ kind: 'refused', reason: 'head-malformed' });
  });

  it('has one reading: what is accepted and written again is accepted as the same', () => {
    const line = fc.string({ unit: 'binary-ascii', maxLength: 30 });
    const text = fc
      .array(fc.oneof(line, fc.constantFrom('Host: a', 'X-A:1', ' folded', 'Content-Length: 5')), {
        maxLength: 5,
      })
      .map((lines) => ['GET / HTTP/1.1', ...lines].join('\r\n'));
    fc.assert(
      fc.property(text, (head) => {
        const parsed = parseHead(head, 'request', 8);
        if (parsed === undefined) return;
        const written = headBytes(parsed.start.join(' '), parsed.fields).toString('latin1');
        expect(written.split('\r\n').length).toBe(parsed.fields.length + 3);
        expect(parseHead(written.slice(0, -4), 'request', 8)).toEqual(parsed);
      }),
      { numRuns: 500 },
    );
  });

  it('cannot have its own framing declared to be of the connection', () => {
    const fields = [
      { name: 'connection', value: 'content-length, x-a' },
      { name: 'content-length', value: '5' },
      { name: 'x-a', value: '1' },
    ];
    expect(withoutHopByHop(fields)).toEqual([{ name: 'content-length', value: '5' }]);
  });
});

describe('a chunked body', () => {
  const framing = { kind: 'chunked' } as const;

  it('comes out as it went in, however it was cut up', () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 6 });
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 50 }), (parts, size) => {
        const encoded = Buffer.concat([
          ...parts.flatMap((part) => [
            Buffer.from(`${part.length.toString(16)}\r\n`),
            part,
            Buffer.from('\r\n'),
          ]),
          Buffer.from('0\r\n\r\n'),
        ]);
        const filter = bodyFilter(framing);
        const passed: Buffer[] = [];
        const withMore = Buffer.concat([encoded, Buffer.from('GET /second')]);
        for (let at = 0; at < withMore.length; at += size) {
          passed.push(...filter.pass(withMore.subarray(at, at + size)));
        }
        expect(filter.isDone).toBe(true);
        expect(decode(Buffer.concat(passed))).toEqual(Buffer.concat(parts));
      }),
      { numRuns: 200 },
    );
  });

  it('never lets anything else through than chunks', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('0', '1', 'a', '\r', '\n', ';', ' ', 'x'),
          maxLength: 40,
        }),
        (text) => {
          const filter = bodyFilter(framing);
          try {
            const passed = Buffer.concat([...filter.pass(Buffer.from(text))]);
            if (filter.isDone) decode(passed);
          } catch (error) {
            expect(error).toMatchObject({ reason: 'body-malformed' });
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the framing of a body', () => {
  it.each([
    [[], { kind: 'length', bytes: 0 }],
    [[['content-length', '12']], { kind: 'length', bytes: 12 }],
    [[['transfer-encoding', 'CHUNKED']], { kind: 'chunked' }],
    [
      [
        ['content-length', '1'],
        ['transfer-encoding', 'chunked'],
      ],
      undefined,
    ],
    [[['content-length', '0x1']], undefined],
    [[['content-length', '']], undefined],
    [[['transfer-encoding', 'identity']], undefined],
    [[['transfer-encoding', 'xchunked']], undefined],
  ])('of %j is %j', (pairs, framing) => {
    const fields = pairs.map(([name = '', value = '']) => ({ name, value }));
    expect(framingOf({ fields })).toEqual(framing);
  });
});

/** A strict decoder of what the filter wrote. */
function decode(encoded: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = encoded.indexOf('\r\n', at);
    const size = Number.parseInt(encoded.toString('latin1', at, end), 16);
    at = end + 2;
    if (size === 0) break;
    parts.push(encoded.subarray(at, at + size));
    expect(encoded.toString('latin1', at + size, at + size + 2)).toBe('\r\n');
    at += size + 2;
  }
  expect(encoded.toString('latin1', at)).toBe('\r\n');
  return Buffer.concat(parts);
}
