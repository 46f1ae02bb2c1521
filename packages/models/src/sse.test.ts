import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelFailure } from './failure.ts';
import { type ServerEvent, type SseLimits, SseReader } from './sse.ts';

const encoder = new TextEncoder();

function read(text: string, limits?: SseLimits): readonly ServerEvent[] {
  return [...new SseReader(limits).push(encoder.encode(text))];
}

function data(text: string): ServerEvent {
  return { name: '', data: text };
}

describe('server-sent events', () => {
  it.each<[string, string, readonly ServerEvent[]]>([
    ['one', 'data: a\n\n', [data('a')]],
    ['several', 'data: a\n\ndata: b\n\n', [data('a'), data('b')]],
    ['a name', 'event: x\ndata: a\n\ndata: b\n\n', [{ name: 'x', data: 'a' }, data('b')]],
    ['no space after the colon', 'data:a\n\n', [data('a')]],
    ['two spaces after the colon', 'data:  a\n\n', [data(' a')]],
    ['several lines of data', 'data: a\ndata: b\ndata\n\n', [data('a\nb\n')]],
    ['comments', ': hi\ndata: a\n:\n\n: bye\n\n', [data('a')]],
    ['fields nobody needs', 'id: 1\nretry: 5\nfoo: bar\ndata: a\n\n', [data('a')]],
    ['empty data', 'data\n\ndata:\n\n', [data(''), data('')]],
    ['a name without data', 'event: x\n\ndata: a\n\n', [data('a')]],
    ['carriage returns', 'data: a\r\rdata: b\r\r', [data('a'), data('b')]],
    ['both line ends', 'data: a\r\n\r\ndata: b\r\n\r\n', [data('a'), data('b')]],
    ['mixed line ends', 'data: a\n\r\ndata: b\r\n\n', [data('a'), data('b')]],
    ['a byte order mark', '\ufeffdata: a\n\n', [data('a')]],
    ['a colon in the data', 'data: a: b\n\n', [data('a: b')]],
    ['an end without an empty line', 'data: a\n\ndata: b\n', [data('a')]],
    ['nothing', '', []],
  ])('are read from a stream with %s', (_name, text, events) => {
    expect(read(text)).toEqual(events);
  });

  it('are the same however the bytes are split', () => {
    const line = fc.oneof(
      fc.constantFrom('', '', 'data', 'data:', 'data: 🦊 ü', 'event: x', ': c', 'id: 1', '\ufeff'),
      fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => `data: ${text}`),
    );
    const stream = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 20 })
      .map((lines) => encoder.encode(lines.flat().join('')));
    const cuts = fc.array(fc.nat(400), { maxLength: 30 });
    fc.assert(
      fc.property(stream, cuts, (bytes, places) => {
        const whole = [...new SseReader().push(bytes)];
        const reader = new SseReader();
        const sorted = [0, ...places.toSorted((a, b) => a - b), bytes.length];
        const inParts = sorted
          .slice(1)
          .flatMap((end, index) => [...reader.push(bytes.subarray(sorted[index], end))]);
        expect(inParts).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  it('may be as long as the limits say', () => {
    const limits = { lineLength: 10, eventLength: 9 };
    expect(read('data: abcd\ndata: efgh\n\n', limits)).toEqual([data('abcd\nefgh')]);
  });

  it.each([
    ['a line', 'data: a\n\ndata: abcde\n\n'],
    ['half a line', 'data: a\n\ndata: abcde'],
    ['an event', 'data: a\n\ndata: abcd\ndata: efgh\ndata\n\n'],
  ])('that are too long fail, after what came before: %s', (_name, text) => {
    const reader = new SseReader({ lineLength: 10, eventLength: 9 });
    const events: ServerEvent[] = [];
    const act = () => {
      for (const event of reader.push(encoder.encode(text))) events.push(event);
    };
    expect(act).toThrow(ModelFailure);
    expect(events).toEqual([data('a')]);
  });

  it('that are not utf-8 fail', () => {
    expect(() => [...new SseReader().push(Uint8Array.of(0xff, 0x0a))]).toThrow(
      'the answer of the model is not utf-8 text',
    );
  });
});
