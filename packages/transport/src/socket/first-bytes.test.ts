import { describe, expect, it } from 'vitest';
import { recognise } from './first-bytes.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('the first bytes of a connection', () => {
  it('are http/2 when the whole preface is there', () => {
    expect(recognise(bytes('PRI * HTTP/2.0'))).toBe('http2');
    expect(recognise(bytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'))).toBe('http2');
  });

  it('stay open as long as they may still become the preface', () => {
    for (const start of ['', 'P', 'PR', 'PRI * HTTP/2.']) {
      expect(recognise(bytes(start))).toBeUndefined();
    }
  });

  it('are http/1.1 as soon as they differ from the preface', () => {
    for (const start of ['G', 'PO', 'PUT', 'PRI * HTTP/1.1', 'PRI * HTTP/2.1', '\u0000']) {
      expect(recognise(bytes(start))).toBe('http1');
    }
  });
});
